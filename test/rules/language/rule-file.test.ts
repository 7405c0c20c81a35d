import { describe, expect, it } from "vitest";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { conditionOf, mistakesIn, rule, ruleFile, ruleSetOf } from "../../support/rules.ts";

const bare = (text: string) =>
  mistakesIn(text).map((line) => line.replace(/^line [0-9]+, column [0-9]+: /, ""));
const mistakesOf = (change: Record<string, unknown>) =>
  bare(ruleFile([rule(change)])).map((line) => line.replace(/^(?:rules\[0\]\.|rule [^,]+, )/, ""));
const withLists = (lists: unknown) => bare(JSON.stringify({ version: 1, lists, rules: [] }));
const word = { type: "text", values: ["x"] };
const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);
const gm = { text: { contains: "gm" } };

describe("a rule", () => {
  it.each<[Record<string, unknown>]>([
    [{ id: "a" }],
    [{ id: `0${"-".repeat(39)}` }],
    [{ priority: -1000 }],
    [{ priority: 1000 }],
    [{ channels: ["*"] }],
    [{ channels: ["0-a*"] }],
    [{ channels: ["a".repeat(32)] }],
    [{ channels: times(100, "a") }],
    [{ on: times(20, "cast.created") }],
    [{ then: times(4, { hide: {} }) }],
    [{ on: [{ timer: { every: "10m" } }], then: [{ alert: {} }], when: undefined }],
    [{ on: [{ timer: { every: "30d" } }], then: [{ alert: {} }], when: { time: { days: ["mon"] } } }],
  ])("may have %j", (change) => {
    expect(mistakesOf(change)).toEqual([]);
  });

  const onUsers =
    "cast.created, cast.removed, record.hidden, record.unhidden, username_proof.merged, user.banned, user.unbanned, user.restricted, member.joined, member.left, invite.created, follower.added, strike.added";
  const notId = "must be 1 to 40 of a-z, 0-9 and -";
  const notChannel = 'must be a channel id, with * for any characters: "art-*"';
  const notAction = "must be one action, such as {hide: {}} or {ban: {for: 7d}}";
  it.each<[Record<string, unknown>, ...string[]]>([
    [{ id: "" }, `id: ${notId}`],
    [{ id: "-a" }, `id: ${notId}`],
    [{ id: "a_b" }, `id: ${notId}`],
    [{ id: "a".repeat(41) }, `id: ${notId}`],
    [{ priority: -1001 }, "priority: is too small: at least -1000"],
    [{ channels: ["-a"] }, `channels[0]: ${notChannel}`],
    [{ channels: ["a_"] }, `channels[0]: ${notChannel}`],
    [{ channels: ["a".repeat(33)] }, `channels[0]: ${notChannel}`],
    [{ channels: times(101, "a") }, "channels: is too long: at most 100"],
    [{ on: [] }, "on: is empty"],
    [{ on: times(21, "cast.created") }, "on: is too long: at most 20"],
    [{ on: [null] }, `on[0]: must be one of ${onUsers}, pin.changed`],
    [{ on: [["cast.created"]] }, `on[0]: must be one of ${onUsers}, pin.changed`],
    [{ on: [{ timer: { every: "9m" } }] }, "on[0].timer.every: must be between 10m and 30d"],
    [{ on: [{ timer: { every: "31d" } }] }, "on[0].timer.every: must be between 10m and 30d"],
    [{ on: [{ timer: { every: "1d" }, also: 1 }] }, 'on[0].also: unknown key "also"'],
    [{ on: [{}] }, "on[0].timer: is missing"],
    [{ then: times(5, { hide: {} }) }, "then: is too long: at most 4"],
    [{ then: [null] }, `then[0]: ${notAction}`],
    [{ then: [[]] }, `then[0]: ${notAction}`],
    [{ then: ["h"] }, `then[0]: ${notAction}`],
    [{ then: [["hide"]] }, `then[0]: ${notAction}`],
    [{ then: [{}] }, `then[0]: ${notAction}`],
    [{ then: [{ hide: {}, pin: {} }] }, `then[0]: ${notAction}`],
    [
      { then: [{ [`h${"x".repeat(50)}`]: {} }] },
      `then[0].h${"x".repeat(38)}…: unknown action "h${"x".repeat(38)}…"`,
    ],
    [
      { then: [{ ban: { for: "1s", reason: "" } }] },
      "then[0].ban.for: must be between 10s and 365d",
      "then[0].ban.reason: is empty",
    ],
    [{ when: undefined }, "when: is missing"],
    [
      { when: undefined, on: [{ timer: { every: "1d" } }, "cast.created"], then: [{ alert: {} }] },
      "when: is missing",
    ],
    [{ when: null }, "when: must be a condition, such as {text: {contains: airdrop}}"],
    [{ when: "gm" }, "when: must be a condition, such as {text: {contains: airdrop}}"],
    [{ when: [gm] }, "when: must be a condition, such as {text: {contains: airdrop}}"],
    [{ when: {} }, "when: is empty: give a condition"],
    [{ when: { all: gm } }, "when.all: must be a list of conditions"],
    [{ when: { any: [] } }, "when.any: must be a list of conditions"],
    [{ when: { nto: gm } }, 'when.nto: unknown condition "nto"; did you mean "not"?'],
    [{ when: { al: [gm] } }, 'when.al: unknown condition "al"; did you mean "all"?'],
    [{ when: { ani: [gm] } }, 'when.ani: unknown condition "ani"; did you mean "any"?'],
    [
      { when: { [`t${"x".repeat(50)}`]: 1 } },
      `when.t${"x".repeat(38)}…: unknown condition "t${"x".repeat(38)}…"`,
    ],
    [
      { when: { any: [{ text: {} }, { not: { is_reply: 1 } }] } },
      "when.any[0].text: needs exactly one of contains, starts_with, matches, eq, ne, in, in_list, contains_in_list",
      "when.any[1].not.is_reply: must be true or false, not a number",
    ],
    [
      { on: ["cast.created", "pin.changed"], when: { "author.is_member": true }, then: [{ hide: {} }] },
      `when: author.is_member does not apply to pin.changed; it applies to ${onUsers}`,
    ],
    [
      {
        on: ["user.banned"],
        when: { "author.is_member": true },
        then: [{ hide: {} }, { hide: {} }],
      },
      "then: hide does not apply to user.banned; it applies to cast.created, record.hidden, record.unhidden, pin.changed",
    ],
  ])("may not have %j", (change, ...expected) => {
    expect(mistakesOf(change)).toEqual(expected);
  });

  it("keeps what is written, and what is made of it", () => {
    const entry = rule({
      on: ["cast.created", { timer: { every: "1d" } }, "cast.created", { timer: { every: "1h" } }],
      when: { time: { days: ["mon"] } },
      then: [{ alert: { text: "look" } }],
      on_unknown: "defer",
      stop: true,
    });
    expect(ruleSetOf(entry).rules).toMatchObject([
      {
        on: ["cast.created", "timer.fired"],
        timers: [86_400, 3600],
        actions: [{ name: "alert", sentence: "alert: look" }],
        onUnknown: "defer",
        stop: true,
        limits: {},
        needs: [],
        lists: {},
        entry,
      },
    ]);
    expect(ruleSetOf(rule()).rules).toMatchObject([
      { onUnknown: "skip", stop: false, priority: 0, timers: [], channels: null },
    ]);
  });

  it("asks what its conditions ask, each in its place", () => {
    const when = { all: [{ "author.is_member": false }, { not: { "author.strikes": { gte: 1 } } }] };
    expect(ruleSetOf(rule({ when })).rules[0]?.needs.map(({ key }) => key)).toEqual([
      "channel members",
      "strikes of this server",
    ]);
  });
});

describe("conditions", () => {
  it("are read as a tree, the cheap parts first", () => {
    const reply = { is_reply: true };
    const node = conditionOf({ any: [{ all: [gm, gm] }, { not: gm }, reply] }, "cast.created");
    if (node.kind !== "any") throw new Error("it is no any");
    expect(node.parts.map(({ kind }) => kind)).toEqual(["all", "not", "leaf"]);
    expect(node.cheapestFirst.map(({ kind }) => kind)).toEqual(["leaf", "not", "all"]);
  });

  it.each([
    [64, []],
    [65, ["when: has more than 64 conditions"]],
    [70, ["when: has more than 64 conditions"]],
  ])("%i in a list: %j", (count, expected) => {
    expect(mistakesOf({ when: { any: times(count, gm) } })).toEqual(expected);
  });

  it("are sixty-four at most in a rule, wherever they stand", () => {
    const half = { any: times(32, gm) };
    expect(mistakesOf({ when: { all: [half, half] } })).toEqual([]);
    expect(mistakesOf({ when: { all: [half, half, { not: gm }] } })).toEqual([
      "when: has more than 64 conditions",
    ]);
  });

  it("are six deep at most", () => {
    const nested = (depth: number): object => (depth === 1 ? gm : { all: [nested(depth - 1)] });
    expect(mistakesOf({ when: nested(6) })).toEqual([]);
    expect(mistakesOf({ when: nested(7) })).toEqual([`when${".all[0]".repeat(6)}: is nested deeper than 6`]);
    const nots = (depth: number): object => (depth === 1 ? gm : { not: nots(depth - 1) });
    expect(mistakesOf({ when: nots(7) })).toEqual([`when${".not".repeat(6)}: is nested deeper than 6`]);
  });
});

describe("lists of a file", () => {
  const notName = "must be 1 to 40 of a-z, 0-9, _ and -";

  it.each<[Record<string, unknown>, string[]]>([
    [{ a: word, "0_-": word, [`a${"b".repeat(39)}`]: word }, []],
    [{ A: word }, [`lists.A: ${notName}`]],
    [{ _a: word }, [`lists._a: ${notName}`]],
    [{ "a.b": word }, [`lists.a.b: ${notName}`]],
    [{ [`a${"b".repeat(40)}`]: word }, [`lists.a${"b".repeat(38)}…: ${notName}`]],
    [{ members: word }, ["lists.members: is a reserved word: give the list another name"]],
    [{ owner: word }, ["lists.owner: is a reserved word: give the list another name"]],
    [{ a: { type: "fid", values: ["seven"] } }, ["lists.a.values[0]: must be a number, not a text"]],
    [Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`l${index}`, word])), []],
    [
      Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`l${index}`, word])),
      ["lists: has more than 50 lists"],
    ],
  ])("%#: %j", (lists, expected) => {
    expect(withLists(lists)).toEqual(expected);
  });

  it("go with the rules that name them", () => {
    const when = { any: [{ text: { in_list: "words" } }, { text: { in_list: "others" } }, gm] };
    const lists = { others: word, unused: word, words: word };
    const text = JSON.stringify({ version: 1, lists, rules: [rule({ when }), rule({ id: "z" })] });
    expect(parseRules(text).rules.map((one) => Object.keys(one.lists))).toEqual([["others", "words"], []]);
  });

  it.each([
    [{ text: { in_list: "wrods" } }, 'when.text.in_list: there is no list "wrods"; did you mean "words"?'],
    [
      { "embed.domain": { in_list: "words" } },
      "when.embed.domain.in_list: the list words is of type text; here it must be domain",
    ],
    [
      { "author.fid": { in_list: "words" } },
      "when.author.fid.in_list: the list words is of type text; here it must be fid",
    ],
    [
      { text: { in_list: "numbers" } },
      "when.text.in_list: the list numbers is of type fid; here it must be text or name",
    ],
    [{ text: { in_list: "x".repeat(41) } }, `when.text.in_list: there is no list "${"x".repeat(39)}…"`],
  ])("%j: %s", (when, mistake) => {
    const lists = { words: word, numbers: { type: "fid", values: [1] } };
    expect(bare(JSON.stringify({ version: 1, lists, rules: [rule({ when })] }))).toEqual([
      `rule scam, ${mistake}`,
    ]);
  });
});

describe("a file", () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ defaults: { exempt: ["owner", "owner", "owner"] } }, ["defaults.exempt: is too long: at most 2"]],
    [{ defaults: { mode: "on" } }, ["defaults.mode: must be one of off, shadow, review, enforce"]],
    [{ defaults: { colour: 1 } }, ['defaults.colour: unknown key "colour"']],
    [{ rules: {} }, ['rules: must be a list, not a map ("key: value")']],
  ])("%j: %j", (change, expected) => {
    expect(bare(JSON.stringify({ version: 1, rules: [], ...change }))).toEqual(expected);
  });

  it("orders rules by priority, then by id", () => {
    const rules = [
      rule({ id: "c" }),
      rule({ id: "a", priority: -1 }),
      rule({ id: "b" }),
      rule({ id: "d", priority: 1 }),
    ];
    expect(ruleSetOf(...rules).rules.map(({ id }) => id)).toEqual(["d", "b", "c", "a"]);
  });

  it("stops at the rule with which its patterns cost too much", () => {
    const dear = (id: string) => rule({ id, when: { any: times(60, { text: { matches: "[ab]{99}" } }) } });
    const rules = ["a", "b", "c", "d", "e"].map(dear);
    expect(bare(ruleFile(rules.slice(0, 3)))).toEqual([]);
    expect(bare(ruleFile(rules))).toEqual([
      "rule d, when: the patterns up to here are too large together: use fewer, or smaller ones",
    ]);
  });
});
