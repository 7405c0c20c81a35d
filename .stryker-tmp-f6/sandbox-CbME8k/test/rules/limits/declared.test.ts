// @ts-nocheck
import { describe, expect, it } from "vitest";
import { mistakesIn, rule, ruleFile, ruleSetOf } from "../../support/rules.ts";

const mistakes = (limits: unknown) => mistakesIn(ruleFile([rule({ limits })]));

describe("limits as they are written", () => {
  it.each(["author", "channel", "rule"])("take a cooldown per %s, of a second to thirty days", (per) => {
    for (const time of ["1s", "30d"]) expect(mistakes({ cooldown: { per, for: time } })).toEqual([]);
    for (const time of ["0s", "31d"]) expect(mistakes({ cooldown: { per, for: time } })).toHaveLength(1);
  });

  it.each(["review", "shadow", "off"])(
    "take a breaker that ends in %s, over a minute to seven days",
    (then) => {
      for (const per of ["1m", "7d"]) expect(mistakes({ breaker: { max: 1, per, then } })).toEqual([]);
      for (const per of ["59s", "8d"]) expect(mistakes({ breaker: { max: 1, per, then } })).toHaveLength(1);
    },
  );

  it.each([1, 10_000])("take a breaker of %i", (max) => {
    expect(mistakes({ breaker: { max, per: "1h" } })).toEqual([]);
  });

  it.each([
    { breaker: { max: 0, per: "1h" } },
    { breaker: { max: 10_001, per: "1h" } },
    { breaker: { max: 1.5, per: "1h" } },
    { breaker: { max: 5, per: "1h", then: "enforce" } },
    { breaker: { max: 5, per: "1h", else: "off" } },
    { cooldown: { per: "server", for: "1h" } },
    { cooldown: { per: "rule", for: "1h", max: 1 } },
    { pause: {} },
  ])("refuse %j", (limits) => {
    expect(mistakes(limits)).toHaveLength(1);
  });

  it("are none where none are written, and a breaker's end is a person's look", () => {
    expect(ruleSetOf(rule()).rules[0]?.limits).toEqual({});
    const [broken] = ruleSetOf(rule({ limits: { breaker: { max: 5, per: "1h" } } })).rules;
    expect(broken?.limits.breaker).toMatchObject({ max: 5, per: { seconds: 3600 }, then: "review" });
  });
});
