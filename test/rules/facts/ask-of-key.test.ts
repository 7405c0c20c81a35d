import { expect, it } from "vitest";
import { askOfKey } from "../../../src/rules/facts/ask-of-key.ts";
import { askChannelRoles } from "../../../src/rules/facts/channel-roles.ts";
import { conditionSamples } from "../../support/condition-samples.ts";
import { rule, ruleSetOf } from "../../support/rules.ts";

const samples = conditionSamples.flatMap(({ when, on }) => {
  const then = [{ alert: { text: "look" } }];
  return ruleSetOf(rule({ when, on: [on], then })).rules.flatMap(({ asks }) => asks);
});
const asks = [...new Map([askChannelRoles, ...samples].map((ask) => [ask.key, ask])).values()];

it.each(asks.map((ask) => [ask.key, ask] as const))("finds the question %s by its key", (key, ask) => {
  const { source, ...found } = askOfKey(key);
  const { source: wanted, ...rest } = ask;
  expect({ ...found, source: source.name }).toEqual({ ...rest, source: wanted.name });
});

it.each(["", "history", "history:cast.created", "duplicates:nobody:1", "weather", "verification:mars"])(
  "knows no question by %j",
  (key) => {
    expect(() => askOfKey(key)).toThrow(`no question has the key ${key}`);
  },
);
