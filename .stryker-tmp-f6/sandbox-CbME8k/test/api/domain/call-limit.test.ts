// @ts-nocheck
import { describe, expect, it } from "vitest";
import { admitInviteCall } from "../../../src/api/domain/call-limit.ts";
import { asAppError, type AppError } from "../../../src/errors.ts";

const now = 1_700_000_000_000;
const hour = 3_600_000;

/** `count` calls, a second apart, the first `age` milliseconds ago. */
function calls(count: number, age: number): number[] {
  return Array.from({ length: count }, (_, index) => now - age + index * 1000);
}

function refusal(earlier: number[]): AppError | undefined {
  try {
    admitInviteCall(earlier, now);
    return undefined;
  } catch (error) {
    return asAppError(error, "rate_limited");
  }
}

describe("the limit on invites and removals", () => {
  it.each([0, 1, 99])("admits the call after %i others", (count) => {
    expect(() => admitInviteCall(calls(count, hour - 1), now)).not.toThrow();
  });

  it.each([
    ["when the oldest was just made", 0, 3600],
    ["when the oldest is almost out of the window", hour - 1, 1],
    ["rounded up to whole seconds", 1500, 3599],
  ])("refuses the call after a hundred others and says how long: %s", (_case, age, wait) => {
    const refused = refusal(calls(100, age));
    expect(refused?.retryAfter).toBe(wait);
    expect(refused?.message).toContain("100 invites and removals in this channel within an hour");
    expect(refused?.message).toContain(`in ${wait} s.`);
  });

  it("waits for the hundredth last, should more have been counted", () => {
    expect(refusal([...calls(5, hour - 10), ...calls(100, 600_000)])?.retryAfter).toBe(3000);
  });
});
