import { PassThrough } from "node:stream";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { printRuleSchema } from "../../../src/cli/rule-file.ts";
import { conditionKinds } from "../../../src/rules/conditions/index.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { makeRuleSchema } from "../../../src/rules/language/rule-schema.ts";
import { conditionSamples, mistakesIn, rule, ruleFile } from "../../support/rules.ts";

/** What an editor that has the schema finds wrong with a file; nothing where it takes it. */
function faultsIn(file: unknown): unknown[] {
  const out = new PassThrough({ encoding: "utf8" });
  printRuleSchema(out);
  const schema: object = JSON.parse(String(out.read()));
  const takes = new Ajv({ strict: false }).compile(schema);
  return takes(file) ? [] : (takes.errors ?? []);
}

const whole = `
version: 1
lists:
  scam_domains: {type: domain, values: [free-mint.example]}
defaults: {mode: shadow, exempt: [owner, moderators]}
rules:
  - id: scam-links
    priority: 100
    mode: enforce
    channels: [memes, "art-*"]
    on: [cast.created]
    when:
      all:
        - any: [{embed.domain: {in_list: scam_domains}}, {text: {matches: "(?i)claim.{0,20}airdrop"}}]
        - not: {author.is_member: true}
    then: [{hide: {}}, {strike: {points: 2, ttl: 30d}}]
    stop: true
    limits: {cooldown: {per: author, for: 10m}, breaker: {max: 20, per: 1h, then: review}}
    on_unknown: review
  - id: escalate
    on: [strike.added]
    when: {author.strikes: {gte: 5}}
    then: [{ban: {for: 7d, reason: "5 strikes"}}]
  - id: impostor
    on: [username_proof.merged]
    when: {name: {confusable_with: [owner, moderators]}}
    then: [{review: {queue: names}}]
  - id: repeat-hidden
    on: [record.hidden]
    when: {history: {event: record.hidden, by: author, within: 7d, gte: 3}}
    then: [{ban: {for: 72h}}]
  - id: flood
    on: [cast.created]
    when: {rate: {of: cast.created, by: author, within: 2m, gte: 6}}
    then: [{review: {queue: spam}}]
  - id: regulars
    on: [follower.added]
    when: {all: [{author.verification: {platform: github}}, {not: {author.restricted: true}}]}
    then: [{invite: {role: member}}]
  - id: daily
    on: [{timer: {every: 1d}}]
    then: [{alert: {}}]
`;

describe("the schema for editors", () => {
  it("takes a file of everything, which is read as well", () => {
    expect(faultsIn(parse(whole))).toEqual([]);
    expect(parseRules(whole).rules.map(({ id }) => id)).toContain("regulars");
  });

  it("takes a sample of every condition", () => {
    const rules = conditionSamples.map(({ when, on }) => rule({ when, on: [on], then: [{ alert: {} }] }));
    expect(faultsIn({ version: 1, rules })).toEqual([]);
    const sampled = new Set(conditionSamples.map(({ when }) => Object.keys(when)[0]));
    expect(conditionKinds.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual([]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["an unknown key", { colour: "red" }],
    ["an unknown event", { on: ["cast.create"] }],
    ["a timer without its interval", { on: ["timer.fired"] }],
    ["an unknown condition", { when: { txet: { contains: "x" } } }],
    ["an unknown test", { when: { text: { contain: "x" } } }],
    ["a parameter of the wrong type", { when: { "text.length": { gte: "long" } } }],
    ["two conditions in one", { when: { text: { contains: "x" }, time: { days: ["sun"] } } }],
    ["an unknown action", { then: [{ hied: {} }] }],
    ["no action", { then: [] }],
    ["a mode that there is not", { mode: "on" }],
  ])("refuses %s, as the reader does", (_, change) => {
    const file = ruleFile([rule(change)]);
    expect(faultsIn(JSON.parse(file))).not.toEqual([]);
    expect(mistakesIn(file)).not.toEqual([]);
  });

  it("says what it is for, and what holds a rule", () => {
    expect(makeRuleSchema()).toMatchObject({
      title: "Castellan rules",
      description: "Rules by which Castellan moderates channels",
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      required: ["version", "rules"],
    });
  });

  const gm = { text: { contains: "gm" } };
  it.each<[Record<string, unknown>, boolean]>([
    [{ when: { all: [gm] } }, true],
    [{ when: { any: [gm, { not: gm }] } }, true],
    [{ when: { all: [] } }, false],
    [{ when: { any: [] } }, false],
    [{ when: { any: gm } }, false],
    [{ when: { any: [gm], all: [gm] } }, false],
    [{ when: { not: [gm] } }, false],
    [{ when: { not: gm, also: gm } }, false],
    [{ when: undefined, on: [{ timer: { every: "1d" } }], then: [{ unpin: {} }] }, true],
    [{ on: [] }, false],
    [{ on: [{ timer: {} }] }, false],
    [{ then: [{ hide: {}, pin: {} }] }, false],
    [{ then: [{ ban: { for: "7d" } }, { note: { text: "x" } }] }, true],
  ])("a rule with %j: %s", (change, taken) => {
    expect(faultsIn(JSON.parse(ruleFile([rule(change)]))).length === 0).toBe(taken);
  });
});
