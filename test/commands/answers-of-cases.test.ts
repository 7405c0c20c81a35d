import { describe, expect, it } from "vitest";
import { answerOf } from "../../commands/shared/describe-case.ts";
import { toCase, type CaseRow } from "../../src/moderation/cases/case.ts";

const row = (change: Partial<CaseRow>) =>
  // The other columns say nothing about the answer.
  toCase({
    kind: "ban",
    outcome: null,
    waiting_reason: null,
    sent_at_ms: null,
    actor_kind: "person",
    actor_fid: null,
    ...change,
  } as CaseRow);

describe("what the network answered", () => {
  it.each([
    ["a case done outside", { state: "outside", actor_kind: "outside" }, "does not show who did it"],
    [
      "one by somebody known",
      { state: "outside", actor_kind: "outside", actor_fid: 7 },
      "Done outside Castellan.",
    ],
    [
      "one done outside and undone since",
      { state: "reverted", actor_kind: "outside" },
      "Done outside Castellan.",
    ],
  ] as const)("is nothing that %s waits for", (_which, change, says) => {
    const shown = answerOf(row(change));
    expect(shown).toContain(says);
    expect(shown).not.toMatch(/answered|requested/i);
  });

  it("is waited for once something was sent", () => {
    expect(answerOf(row({ state: "requested" }))).toBe("Requested; not sent to the network yet.");
    expect(answerOf(row({ state: "requested", sent_at_ms: 5 }))).toBe(
      "Requested; the network has not answered yet.",
    );
    expect(answerOf(row({ state: "applied", kind: "hide", outcome: "done" }))).toBe("Hidden.");
  });
});
