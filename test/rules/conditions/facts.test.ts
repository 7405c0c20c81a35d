import { describe, expect, it } from "vitest";
import { explain, truthOf, createLeafReader } from "../../../src/rules/evaluate/condition.ts";
import { eventCount } from "../../../src/rules/conditions/event-counts.ts";
import { membership } from "../../../src/rules/conditions/author-in-channel.ts";
import { castCreated, conditionOf, factsOf, known, notKnown, recordHidden } from "../../support/rules.ts";

describe("author.is_member", () => {
  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ])("asked for %s with a member %s: %s", (wanted, isMember, expected) => {
    const condition = conditionOf({ "author.is_member": wanted }, "cast.created");
    expect(
      truthOf(condition, createLeafReader(castCreated("gm"), factsOf(known(membership, isMember)))),
    ).toBe(expected);
  });

  it("is unknown when the network does not say, and tells why, from where and when", () => {
    const condition = conditionOf({ "author.is_member": false }, "cast.created");
    const outcome = explain(
      condition,
      createLeafReader(castCreated("gm"), factsOf(notKnown(membership, "it is down"))),
    );
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
  const need = eventCount("record.hidden", 7 * 86_400);

  it.each([
    [2, false],
    [3, true],
    [4, true],
  ])("of %i with 3 asked for: %s", (count, expected) => {
    const condition = conditionOf(when, "record.hidden");
    expect(truthOf(condition, createLeafReader(recordHidden(), factsOf(known(need, count))))).toBe(expected);
  });

  it("is unknown when the store cannot say", () => {
    const condition = conditionOf(when, "record.hidden");
    expect(truthOf(condition, createLeafReader(recordHidden(), factsOf(notKnown(need, "no author"))))).toBe(
      "unknown",
    );
  });
});
