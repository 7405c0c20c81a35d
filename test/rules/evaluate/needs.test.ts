import { describe, expect, it } from "vitest";
import { allNeeds, beginEvaluation, evaluate, listenersTo } from "../../../src/rules/evaluate/evaluate.ts";
import { Facts } from "../../../src/rules/facts/fact.ts";
import { isAboutUser, type Occurrence } from "../../../src/rules/evaluate/occurrence.ts";
import { channelRoles } from "../../../src/rules/facts/channel-roles.ts";
import { membership } from "../../../src/rules/conditions/author-in-channel.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
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

const member = rule({ id: "member", when: { "author.is_member": true } });
const strikes = rule({
  id: "strikes",
  when: { all: [{ text: { contains: "gm" } }, { "author.strikes": { gte: 1 } }] },
});
const names = rule({
  id: "names",
  on: ["username_proof.merged"],
  when: { name: { eq: "ann" } },
  then: [{ ban: {} }],
});
const keys = (needs: readonly { key: string }[]) => needs.map(({ key }) => key);
const nothing = new Facts();

const timer = (every: number): Occurrence => {
  const { event, ...rest } = castCreated("");
  const { id, sourceKey, channelId, occurredAt, observedAt, depth, caseId } = event;
  const base = { id, sourceKey, channelId, occurredAt, observedAt, depth, caseId, subjectFid: null };
  const fired = { ...base, kind: "timer.fired" as const, data: { guildId: "900", every } };
  return { ...rest, event: fired, authorFid: null, text: null, cast: null };
};

describe("what rules ask about an event", () => {
  it("is all that those ask which listen, and who is exempt", () => {
    const rules = ruleSetOf(member, strikes, names);
    expect(keys(allNeeds(rules, castCreated("hi")))).toEqual([
      "channel",
      "channel members",
      "strikes of this server",
    ]);
    expect(keys(allNeeds(rules, nameTaken("bob")))).toEqual(["channel"]);
    expect(listenersTo(rules, castCreated("hi")).map(({ id }) => id)).toEqual(["member", "strikes"]);
  });

  it("is nothing of rules that are off", () => {
    const rules = ruleSetOf({ ...member, mode: "off" }, strikes);
    expect(listenersTo(rules, castCreated("hi")).map(({ id }) => id)).toEqual(["strikes"]);
    expect(keys(allNeeds(rules, castCreated("hi")))).toEqual(["channel", "strikes of this server"]);
  });

  it("is nothing where none listens", () => {
    expect(allNeeds(ruleSetOf(names), castCreated("hi"))).toEqual([]);
    expect(beginEvaluation(ruleSetOf(names), castCreated("hi"), nothing, 99).needs).toEqual([]);
  });

  it("leaves out who is exempt where nobody is", () => {
    const rules = parseRules(ruleFile([member], { exempt: [] }));
    expect(keys(allNeeds(rules, castCreated("hi")))).toEqual(["channel members"]);
  });

  it("is only what those still ask that may apply, by what is known", () => {
    const rules = ruleSetOf(member, strikes);
    expect(keys(beginEvaluation(rules, castCreated("hi"), nothing, 99).needs)).toEqual([
      "channel",
      "channel members",
    ]);
    expect(keys(beginEvaluation(rules, castCreated("gm"), nothing, 99).needs)).toEqual([
      "channel",
      "channel members",
      "strikes of this server",
    ]);
    expect(
      keys(beginEvaluation(rules, castCreated("gm"), factsOf(known(membership, false)), 99).needs),
    ).toEqual(["channel", "strikes of this server"]);
    expect(beginEvaluation(rules, castCreated("hi"), factsOf(known(membership, false)), 99).needs).toEqual(
      [],
    );
  });
});

describe("a rule that cannot apply any more", () => {
  it("is not asked again when more is known", () => {
    const long = { all: [{ "text.length": { gt: 500 } }, { "author.strikes": { gte: 1 } }] };
    const rules = ruleSetOf(member, rule({ id: "long", when: long }));
    const { possible } = beginEvaluation(rules, castCreated("hi"), nothing, 99);
    expect(possible.map(({ id }) => id)).toEqual([member.id]);
    let asked = 0;
    const count = <T>(_: unknown, run: () => T) => {
      asked += 1;
      return run();
    };
    const facts = factsOf(known(membership, true));
    beginEvaluation(rules, castCreated("hi"), facts, 99, count, possible).conclude();
    expect(asked).toBe(2);
  });
});

describe("a rule for which there is no time", () => {
  it.each([
    ["at all", 0],
    ["when it is explained", 1],
  ])("%s cannot tell", (_, runs) => {
    let left = runs;
    const watch = <T>(_rule: unknown, run: () => T) => (left-- > 0 ? run() : undefined);
    const begun = beginEvaluation(ruleSetOf(names), nameTaken("ann"), factsOf(), 99, watch);
    expect(begun.conclude()).toMatchObject({
      asked: true,
      verdicts: [{ rule: { id: names.id }, truth: "unknown", tree: { name: "time", truth: "unknown" } }],
    });
  });
});

describe("a fact that nobody asked for", () => {
  it("is not known, and says so", () => {
    expect(nothing.read(membership)).toEqual({
      known: false,
      why: "it was not requested",
      source: "channel members",
      at: 0,
    });
  });
});

describe("a timer", () => {
  const daily = rule({
    id: "daily",
    on: [{ timer: { every: "1d" } }],
    when: undefined,
    then: [{ unpin: {} }],
  });
  const both = rule({
    id: "both",
    on: [{ timer: { every: "1h" } }, { timer: { every: "1d" } }],
    when: undefined,
    then: [{ unpin: {} }],
  });

  it("is heard by the rules with its interval, though there is no author", () => {
    const rules = ruleSetOf(daily, both);
    const heard = (every: number) => {
      const evaluation = evaluate(rules, timer(every), nothing, 99);
      return evaluation.asked ? evaluation.verdicts.map((verdict) => verdict.rule.id) : evaluation.why;
    };
    expect([heard(86_400), heard(3600), heard(60)]).toEqual([["both", "daily"], ["both"], []]);
  });
});

describe("an event about a user", () => {
  it.each([
    ["cast.created", true],
    ["strike.added", true],
    ["username_proof.merged", true],
    ["pin.changed", false],
    ["timer.fired", false],
  ] as const)("%s: %s", (kind, expected) => {
    expect(isAboutUser(kind)).toBe(expected);
  });

  it("is not judged where who is exempt is not known, but where the author is nobody that could be", () => {
    const rules = ruleSetOf(rule());
    const down = new Facts(new Map([notKnown(channelRoles, "it is down")]));
    const scam = castCreated("airdrop");
    expect(evaluate(rules, { ...scam, authorFid: 99 }, down, 99)).toEqual({
      asked: false,
      why: "The author is this bot, which is always exempt.",
    });
    expect(evaluate(rules, castCreated("gm"), down, 99)).toEqual({ asked: true, verdicts: [] });
  });

  it.each([
    ["owner", 1, false],
    ["owner", 2, true],
    ["moderators", 1, true],
    ["moderators", 2, false],
  ])("with only %s exempt, author %i is judged: %s", (exempt, authorFid, asked) => {
    const rules = parseRules(ruleFile([rule()], { exempt: [exempt] }));
    expect(evaluate(rules, castCreated("airdrop", { authorFid }), factsOf(), 99).asked).toBe(asked);
  });
});
