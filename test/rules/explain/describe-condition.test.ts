import { expect, it } from "vitest";
import { describeCondition, describePlainly } from "../../../src/rules/explain/describe-condition.ts";
import { conditionOf } from "../../support/rules.ts";

const airdrop = { text: { contains: "airdrop" } };
const mint = { text: { contains: "mint" } };
const member = { "author.is_member": true };
const moderator = { "author.is_moderator": true };
const hasAirdrop = 'the text contains "airdrop"';

it.each<[string, object]>([
  [hasAirdrop, airdrop],
  ["the author is not a member", { "author.is_member": false }],
  [`${hasAirdrop}, and the author is a member`, { all: [airdrop, member] }],
  [`${hasAirdrop}, or the text contains "mint"`, { any: [airdrop, mint] }],
  [`${hasAirdrop}, unless the author is a member`, { all: [airdrop, { not: member }] }],
  [
    `${hasAirdrop}, unless the author is a member, or the author moderates the channel`,
    { all: [{ not: member }, airdrop, { not: moderator }] },
  ],
  [
    `(${hasAirdrop}, or the text contains "mint"), and the author is a member`,
    { all: [{ any: [airdrop, mint] }, member] },
  ],
  [
    `(${hasAirdrop}, and the author is a member), or the text contains "mint"`,
    { any: [{ all: [airdrop, member] }, mint] },
  ],
  ["it is not so that the author is a member", { not: member }],
  [
    "it is not so that the author is a member, and it is not so that the author moderates the channel",
    { all: [{ not: member }, { not: moderator }] },
  ],
  [`it is not so that (${hasAirdrop}, or the author is a member)`, { not: { any: [airdrop, member] } }],
  [`it is not so that (it is not so that the author is a member)`, { not: { not: member } }],
  [hasAirdrop, { all: [airdrop] }],
  [
    `${hasAirdrop}, or the text contains "mint", or one of 2 more`,
    { any: [airdrop, mint, { text: { contains: "claim" } }, { text: { contains: "free" } }] },
  ],
])("%s", (sentence, when) => {
  expect(describeCondition(conditionOf(when, "cast.created"))).toBe(sentence);
});

const pattern = (source: string) => ({ text: { matches: source } });
const flood = { rate: { of: "cast.created", by: "author", within: "2m", gte: 6 } };

it.each<[string, object]>([
  ["the text matches a pattern", pattern(String.raw`\bclaim\b`)],
  [
    "the text matches one of 3 patterns, unless the author is a member",
    { all: [{ any: ["a", "b", "c"].map(pattern) }, { not: member }] },
  ],
  [`the text matches one of 2 patterns, or ${hasAirdrop}`, { any: [pattern("a"), pattern("b"), airdrop] }],
  ["the author has 6 or more casts within 2m", flood],
  [
    "the author has 6 or more casts within 2m, counting those where the text matches a pattern",
    { rate: { ...flood.rate, when: pattern("a") } },
  ],
  [
    "the author has 1 or more hidden casts within 7d",
    { history: { event: "record.hidden", by: "author", within: "7d", gte: 1 } },
  ],
])("in plain words: %s", (sentence, when) => {
  expect(describePlainly(conditionOf(when, "cast.created"))).toBe(sentence);
});
