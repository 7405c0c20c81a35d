import { describe, expect, it } from "vitest";
import { stateOf, type StoredKeyRequest } from "../../../src/api/domain/signed-key-request.ts";

const open: StoredKeyRequest = { deadline: 100, created_at: 0, answer: null, completed_at: null };
const approved: StoredKeyRequest = { deadline: 100, created_at: 0, answer: "approve", completed_at: 60 };
const refused: StoredKeyRequest = { deadline: 100, created_at: 0, answer: "refuse", completed_at: null };

const month = 30 * 24 * 3600;

describe("Signed key request", () => {
  it.each([
    ["unanswered", open, 99, "pending"],
    ["unanswered at its deadline", open, 100, "expired"],
    ["unanswered long after", open, 1000, "expired"],
    [
      "unanswered for thirty days, with a deadline far ahead",
      { ...open, deadline: 2 ** 53 - 1 },
      month,
      "expired",
    ],
    ["unanswered until then", { ...open, deadline: 2 ** 53 - 1 }, month - 1, "pending"],
    ["refused", refused, 50, "refused"],
    ["refused, past its deadline", refused, 1000, "refused"],
    ["approved, not confirmed yet", approved, 59, "approved"],
    ["approved and confirmed", approved, 60, "completed"],
    ["approved and confirmed, past its deadline", approved, 1000, "completed"],
    ["approved without an end in sight", { ...approved, completed_at: null }, 1000, "approved"],
  ] as const)("%s", (_, request, now, state) => {
    expect(stateOf(request, now)).toBe(state);
  });
});
