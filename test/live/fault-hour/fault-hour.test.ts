import { describe, expect, test } from "vitest";
import { faultKinds } from "./faults.ts";
import { liveHour } from "./live-hour.ts";

/** How much a short hour holds, at least: else it would say nothing. */
const enough = { sent: 100, asked: 5 };

describe("of what happens nothing is missing, nothing is told or done twice, and all recovers by itself", () => {
  test("where each fault comes once, after the other", async () => {
    const { account, actions, wrong, faults, trace } = await liveHour({ seed: 1, seconds: 0, inTurn: true });
    expect(wrong, trace.join("\n")).toEqual([]);
    expect(faults).toEqual(faultKinds.map(({ name }) => name));
    expect(account.sent).toBeGreaterThan(enough.sent);
    expect(actions.asked).toBeGreaterThan(enough.asked);
  });

  test("where they come together as chance has it", async () => {
    const { account, actions, wrong, trace } = await liveHour({ seed: 101, seconds: 600 });
    expect(wrong, trace.join("\n")).toEqual([]);
    expect(account.sent).toBeGreaterThan(enough.sent);
    expect(actions.asked).toBeGreaterThan(enough.asked);
  });
});
