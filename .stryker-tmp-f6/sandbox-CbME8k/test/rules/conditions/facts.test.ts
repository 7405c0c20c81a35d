// @ts-nocheck
import { describe, expect, it } from "vitest";
import { explain, truthOf } from "../../../src/rules/evaluate/condition.ts";
import { askHistory } from "../../../src/rules/facts/history.ts";
import { askMembership } from "../../../src/rules/facts/membership.ts";
import { castCreated, conditionOf, factsOf, known, notKnown, recordHidden } from "../../support/rules.ts";

describe("author.is_member", () => {
  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ])("asked for %s with a member %s: %s", (wanted, isMember, expected) => {
    const condition = conditionOf({ "author.is_member": wanted }, "cast.created");
    expect(truthOf(condition, castCreated("gm"), factsOf(known(askMembership, isMember)))).toBe(expected);
  });

  it("is unknown when the network does not say, and tells why, from where and when", () => {
    const condition = conditionOf({ "author.is_member": false }, "cast.created");
    const outcome = explain(condition, castCreated("gm"), factsOf(notKnown(askMembership, "it is down")));
    expect(outcome).toMatchObject({
      truth: "unknown",
      why: "it is down",
      source: "test",
      at: 1_700_000_000_000,
    });
  });
});

describe("history", () => {
  const when = { history: { event: "record.hidden", by: "author", within: "7d", gte: 3 } };
  const ask = askHistory("record.hidden", 7 * 86_400);

  it.each([
    [2, false],
    [3, true],
    [4, true],
  ])("of %i with 3 asked for: %s", (count, expected) => {
    const condition = conditionOf(when, "record.hidden");
    expect(truthOf(condition, recordHidden(), factsOf(known(ask, count)))).toBe(expected);
  });

  it("is unknown when the store cannot say", () => {
    const condition = conditionOf(when, "record.hidden");
    expect(truthOf(condition, recordHidden(), factsOf(notKnown(ask, "no author")))).toBe("unknown");
  });
});
