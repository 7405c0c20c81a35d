import { describe, expect, it } from "vitest";
import { evaluate, type Evaluation } from "../../../src/rules/evaluate/evaluate.ts";
import { channelRoles } from "../../../src/rules/facts/channel-roles.ts";
import { Facts } from "../../../src/rules/facts/fact.ts";
import { membership } from "../../../src/rules/conditions/author-in-channel.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import type { Occurrence } from "../../../src/rules/evaluate/occurrence.ts";
import {
  castCreated,
  factsOf,
  known,
  nameTaken,
  notKnown,
  rule,
  ruleFile,
  ruleSetOf,
} from "../../support/rules.ts";

const bot = 99;
const scam = castCreated("free airdrop");
const run = (occurrence: Occurrence, ...rules: unknown[]) =>
  evaluate(ruleSetOf(...rules), occurrence, factsOf(), bot);
const deep = (depth: number) => ({ ...scam, event: { ...scam.event, depth } });
const firedBy = (evaluation: Evaluation) =>
  evaluation.asked ? evaluation.verdicts.map(({ rule }) => rule.id) : evaluation.why;

describe("which rules are asked", () => {
  it("asks by priority, highest first, and by id among equals", () => {
    const rules = [rule({ id: "b" }), rule({ id: "a" }), rule({ id: "z", priority: 5 })];
    expect(firedBy(run(scam, ...rules))).toEqual(["z", "a", "b"]);
  });

  it.each([
    ["an event that it does not listen to", nameTaken("airdrop"), {}],
    ["a rule that is off", scam, { mode: "off" }],
    ["another channel", scam, { channels: ["art-*", "meme"] }],
    ["what the rule caused itself", castCreated("airdrop", { causedByRule: "scam" }), {}],
  ])("leaves out %s", (_, occurrence, change) => {
    expect(run(occurrence, rule(change))).toEqual({ asked: true, verdicts: [] });
  });

  it.each([
    ["a channel that it names", scam, { channels: ["art-*", "mem*"] }],
    ["what another rule caused", castCreated("airdrop", { causedByRule: "other" }), {}],
  ])("asks about %s", (_, occurrence, change) => {
    expect(firedBy(run(occurrence, rule(change)))).toEqual(["scam"]);
  });

  it("asks no further after a rule in force that stops", () => {
    const last = rule({ id: "last", priority: -1 });
    expect(firedBy(run(scam, rule({ stop: true }), last))).toEqual(["scam"]);
    expect(firedBy(run(castCreated("gm"), rule({ stop: true }), last))).toEqual([]);
  });

  it("is not stopped by a rule on trial, nor by one that could not tell", () => {
    const last = rule({ id: "last", priority: -1 });
    expect(firedBy(run(scam, rule({ stop: true, mode: "shadow" }), last))).toEqual(["scam", "last"]);
    const unsure = rule({ stop: true, when: { "author.is_member": false } });
    const facts = factsOf(notKnown(membership, "down"));
    expect(firedBy(evaluate(ruleSetOf(unsure, last), scam, facts, bot))).toEqual(["scam", "last"]);
  });
});

describe("whom rules do not touch", () => {
  it.each([
    [1, "The author owns the channel: exempt."],
    [2, "The author moderates the channel: exempt."],
    [bot, "The author is this bot, which is always exempt."],
    [null, "The author is not known, so it is not known whether rules may act on them."],
  ])("author %s: %s", (authorFid, why) => {
    expect(run({ ...scam, authorFid }, rule())).toEqual({ asked: false, why });
  });

  it("touches nobody while it is not known who is exempt", () => {
    const facts = new Facts(new Map([notKnown(channelRoles, "it is down")]));
    const why = "It is not known whether the author is exempt: it is down";
    expect(evaluate(ruleSetOf(rule()), scam, facts, bot)).toMatchObject({
      asked: false,
      why,
      undecided: [{ rule: { id: "scam" }, truth: "unknown", missing: "exemption", tree: { why } }],
    });
  });

  it("exempts only whom the file says, and the bot always", () => {
    const facts = new Facts();
    const nobody = parseRules(ruleFile([rule()], { exempt: [] }));
    const owner = parseRules(ruleFile([rule()], { exempt: ["owner"] }));
    expect(firedBy(evaluate(nobody, { ...scam, authorFid: 1 }, facts, bot))).toEqual(["scam"]);
    expect(firedBy(evaluate(nobody, { ...scam, authorFid: bot }, facts, bot))).toContain("this bot");
    expect(firedBy(evaluate(owner, { ...scam, authorFid: 2 }, factsOf(), bot))).toEqual(["scam"]);
  });

  it("stops rules from acting on each other's doing without end", () => {
    expect(firedBy(run(deep(3), rule()))).toEqual(["scam"]);
    expect(firedBy(run(deep(4), rule()))).toBe(
      "Not evaluated: rules have triggered each other 4 times in a row.",
    );
  });
});

describe("what comes out", () => {
  it("keeps the whole tree with values, also of parts that did not matter", () => {
    const when = {
      all: [
        { any: [{ text: { contains: "airdrop" } }, { text: { contains: "gm" } }] },
        { not: { "author.is_member": true } },
      ],
    };
    const evaluation = evaluate(ruleSetOf(rule({ when })), scam, factsOf(known(membership, false)), bot);
    expect(evaluation).toMatchObject({
      verdicts: [
        {
          truth: true,
          tree: {
            kind: "all",
            truth: true,
            parts: [
              { kind: "any", truth: true, parts: [{ truth: true, value: "free airdrop" }, { truth: false }] },
              { kind: "not", truth: true, parts: [{ truth: false, value: false, source: "test" }] },
            ],
          },
        },
      ],
    });
  });

  it("gives the same for the same rules, event and facts", () => {
    const rules = ruleSetOf(rule(), rule({ id: "two", mode: "shadow" }));
    const once = evaluate(rules, scam, factsOf(), bot);
    expect(evaluate(rules, scam, factsOf(), bot)).toEqual(once);
  });
});
