import { expect, it } from "vitest";
import { channelRoles } from "../../../src/rules/facts/channel-roles.ts";
import { packNeed, readNeed } from "../../../src/rules/facts/load-facts.ts";
import { conditionSamples, rule, ruleSetOf } from "../../support/rules.ts";

const samples = conditionSamples.flatMap(({ when, on }) => {
  const then = [{ alert: { text: "look" } }];
  return ruleSetOf(rule({ when, on: [on], then })).rules.flatMap(({ needs }) => needs);
});
const needs = [...new Map([channelRoles, ...samples].map((need) => [need.key, need])).values()];

it.each(needs.map((need) => [need.key, need] as const))(
  "the need of %s is the same across threads",
  (_, need) => {
    expect(readNeed(structuredClone(packNeed(need)))).toEqual(need);
  },
);

it("no need is read of a source that no condition names", () => {
  expect(() => readNeed({ source: "weather", parameters: [] })).toThrow(
    'no condition uses the fact source "weather"',
  );
});
