import { describe, expect, it } from "vitest";
import { leavesOf } from "../../../src/rules/evaluate/condition.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { mistakesIn, rule, ruleFile } from "../../support/rules.ts";

const good = `# What we do not want to see
version: 1
defaults: { mode: shadow, exempt: [owner] }
rules:
  - id: scam-links
    priority: 100
    mode: enforce
    channels: [memes, "art-*"]
    on: [cast.created]
    when:
      all:
        - text: { matches: "(?i)claim.{0,20}airdrop" }
        - not: { author.is_member: true }
    then: [{ hide: {} }, { ban: { for: 7d, reason: scam } }]
    stop: true
    on_unknown: skip
  - id: impostor
    on: [username_proof.merged]
    when: { name: { in: [memes-team, memes-support] } }
    then: [{ ban: {} }]
`;

describe("a rule file", () => {
  it("becomes rules in the order in which they are asked, with defaults filled in", () => {
    const { exempt, rules } = parseRules(good);
    expect(exempt).toEqual(["owner"]);
    expect(rules).toMatchObject([
      { id: "scam-links", priority: 100, mode: "enforce", channels: ["memes", "art-*"], stop: true },
      { id: "impostor", priority: 0, mode: "shadow", channels: null, stop: false },
    ]);
    expect(rules[0]?.actions.map((action) => action.sentence)).toEqual([
      "hide the cast",
      "ban the author for 7 days (scam)",
    ]);
  });

  it("has one condition for what several rules ask alike, and one each for what they ask differently", () => {
    const same = { text: { contains: "airdrop" } };
    const asked = [same, { not: same }, { text: { contains: "mint" } }];
    const { rules } = parseRules(ruleFile(asked.map((when, index) => rule({ id: `r${index}`, when }))));
    const leaves = rules.flatMap(({ when }) => leavesOf(when)).map(({ leaf }) => leaf);
    expect([new Set(leaves).size, leaves.map(({ sentence }) => sentence).toSorted()]).toEqual([
      2,
      ['the text contains "airdrop"', 'the text contains "airdrop"', 'the text contains "mint"'],
    ]);
  });

  it("exempts owner and moderators and is in shadow unless it says otherwise", () => {
    const { exempt, rules } = parseRules(ruleFile([rule({ mode: undefined })]));
    expect([exempt, rules[0]?.mode]).toEqual([["owner", "moderators"], "shadow"]);
  });

  it("may be JSON, also with tabs, or hold no rules", () => {
    expect(parseRules(JSON.stringify({ version: 1, rules: [rule()] }, null, "\t")).rules).toHaveLength(1);
    expect(parseRules("version: 1\nrules: []").rules).toEqual([]);
  });
});

/** A file of one rule on line 3 and after, one key to a line. */
const keys = { id: "a", on: "[cast.created]", when: "{text: {contains: x}}", then: "[{hide: {}}]" };
const withKeys = (change: Record<string, string>) =>
  [
    "version: 1",
    "rules:",
    ...Object.entries({ ...keys, ...change }).map(
      ([key, value], index) => `${index === 0 ? "  - " : "    "}${key}: ${value}`,
    ),
  ].join("\n");

describe("mistakes in a rule", () => {
  it.each<[Record<string, string>, ...string[]]>([
    [{ mdoe: "off" }, '7:5 mdoe: unknown key "mdoe"; did you mean "mode"?'],
    [{ colour: "red" }, '7:5 colour: unknown key "colour"'],
    [{ mode: "enfroce" }, '7:11 mode: must be one of off, shadow, review, enforce; did you mean "enforce"?'],
    [{ on_unknown: "ask" }, "7:17 on_unknown: must be one of skip, review, defer"],
    [
      { limits: "{cooldown: {per: autor, for: 10m}}" },
      '7:30 limits.cooldown.per: must be one of author, channel, rule; did you mean "author"?',
    ],
    [
      { limits: "{breaker: {max: 0, per: 1s}}" },
      "7:29 limits.breaker.max: is too small: at least 1",
      "7:37 limits.breaker.per: must be between 1m and 7d",
    ],
    [{ id: "Not Good" }, "3:9 id: must be 1 to 40 of a-z, 0-9 and -"],
    [{ id: "7" }, "3:9 id: must be a text, not a number"],
    [{ priority: "high" }, "7:15 priority: must be a number, not a text"],
    [{ priority: "1.5" }, "7:15 priority: must be a whole number, not a number"],
    [{ priority: "1001" }, "7:15 priority: is too large: at most 1000"],
    [{ stop: "yes" }, "7:11 stop: must be true or false, not a text"],
    [{ channels: "[Memes]" }, '7:16 channels[0]: must be a channel id, with * for any characters: "art-*"'],
    [{ channels: "[]" }, "7:15 channels: is empty"],
    [{ on: "[cast.create]" }, '4:10 on[0]: unknown "cast.create"; did you mean "cast.created"?'],
    [{ on: "[timer.fired]" }, "4:10 on[0]: a timer is written with its interval: {timer: {every: 1d}}"],
    [
      { on: "[{timer: {evry: 1d}}]" },
      "4:18 on[0].timer.every: is missing",
      '4:19 on[0].timer.evry: unknown key "evry"; did you mean "every"?',
    ],
    [{ on: "[{timer: {every: 1m}}]" }, "4:26 on[0].timer.every: must be between 10m and 30d"],
    [{ on: "cast.created" }, "4:9 on: must be a list, not a text"],
    [{ when: "{txet: {contains: x}}" }, '5:12 when.txet: unknown condition "txet"; did you mean "text"?'],
    [
      { when: "{text: {contain: x}}" },
      '5:19 when.text.contain: unknown key "contain"; did you mean "contains"?',
    ],
    [
      { when: "{text: {}}" },
      "5:18 when.text: needs exactly one of contains, starts_with, matches, eq, ne, in, in_list, contains_in_list",
    ],
    [
      { when: "{text: {contains: x, matches: y}}" },
      "5:18 when.text: needs exactly one of contains, starts_with, matches, eq, ne, in, in_list, contains_in_list",
    ],
    [
      { when: '{text: {contains: "\\u200B"}}' },
      "5:29 when.text.contains: is invisible, so every text contains it: use matches to find invisible characters",
    ],
    [
      { when: "{text: {contains: x}, name: {eq: a}}" },
      "5:11 when: has several conditions: put them into a list under all or any",
    ],
    [{ when: "{all: []}" }, "5:17 when.all: must be a list of conditions"],
    [
      { when: "{not: [{text: {contains: x}}]}" },
      "5:17 when.not: must be a condition, such as {text: {contains: airdrop}}",
    ],
    [
      { when: "{name: {eq: a}}" },
      "5:11 when: name does not apply to cast.created; it applies to username_proof.merged",
    ],
    [
      { when: "{history: {event: record.hidden, by: author, within: 7 months, gte: 3}}" },
      '5:64 when.history.within: must be a number with s, m, h, d or w, such as "10m" or "7d". Months differ in length; write 30d',
    ],
    [
      { when: "{history: {event: record.hidden, by: author, within: 91d, gte: 0}}" },
      "5:64 when.history.within: must be between 1m and 90d",
      "5:74 when.history.gte: is too small: at least 1",
    ],
    [{ then: "[{hied: {}}]" }, '6:13 then[0].hied: unknown action "hied"; did you mean "hide"?'],
    [{ then: "[hide]" }, "6:12 then[0]: must be one action, such as {hide: {}} or {ban: {for: 7d}}"],
    [{ then: "[{hide: {thread: true}}]" }, '6:20 then[0].hide.thread: unknown key "thread"'],
    [{ then: "[{ban: {for: 9s}}]" }, "6:24 then[0].ban.for: must be between 10s and 365d"],
    [{ then: "[]" }, "6:11 then: is empty"],
    [
      { on: "[username_proof.merged]", when: "{name: {eq: a}}" },
      "6:11 then: hide does not apply to username_proof.merged; it applies to cast.created, record.hidden, record.unhidden, pin.changed",
    ],
    [{ then: "" }, "6:5 then: must be a list, not empty"],
  ])("%j", (change, ...expected) => {
    const placed = mistakesIn(withKeys(change)).map((mistake) =>
      mistake.replace(/^line (\d+), column (\d+): (?:rules\[0\]\.?|rule [^:, ]+(?:, )?)/, "$1:$2 "),
    );
    expect(placed).toEqual(expected);
  });

  it.each([
    ["a(b", "missing closing ) at character 2"],
    ["ab)", "unexpected ) at character 3"],
    ["[(](", "missing closing ) at character 4"],
    ["\\((", "missing closing ) at character 3"],
    ["ab[cd", "missing closing ] at character 3"],
    ["[**]a**", "invalid nested repetition operator at character 6"],
    ["a{1001}", "invalid repeat count at character 2"],
    ["(?=a)", "lookahead and lookbehind are not supported at character 1"],
    ["b(?<!a)", "lookahead and lookbehind are not supported at character 2"],
    ["(a)\\1", "backreferences are not supported at character 4"],
    ["(?P=a)", "invalid or unsupported Perl syntax at character 1"],
    ["a\\", "trailing backslash at end of expression at character 2"],
  ])("tells where the pattern %s is wrong", (pattern, expected) => {
    const when = `{text: {matches: '${pattern}'}}`;
    expect(mistakesIn(withKeys({ when }))).toEqual([
      `line 5, column 28: rule a, when.text.matches: not a valid pattern: ${expected}`,
    ]);
  });
});

describe("mistakes in a file", () => {
  it.each([
    ["", ['line 1, column 1: must be a map ("key: value"), not empty']],
    ["- a", ['line 1, column 1: must be a map ("key: value"), not a list']],
    ["version: 1", ["line 1, column 1: rules: is missing"]],
    ["version: 2\nrules: []", ["line 1, column 10: version: must be 1"]],
    [
      "version: 1\nrules: []\nlist: {}",
      ['line 3, column 1: list: unknown key "list"; did you mean "lists"?'],
    ],
    [
      "version: 1\nrules: []\ndefaults: {exempt: [everybody]}",
      ["line 3, column 21: defaults.exempt[0]: must be one of owner, moderators"],
    ],
    ["version: 1\nversion: 1", ["line 2, column 1: Map keys must be unique"]],
    [
      "a: [1, 2\nb: 3",
      ["line 2, column 1: Flow sequence in block collection must be sufficiently indented and end with a ]"],
    ],
    ["a: &x 1\nb: *x", ["line 2, column 4: write it out: *x is an alias, which is not supported"]],
    ["a: !!js/function x", ["line 1, column 4: Unresolved tag: tag:yaml.org,2002:js/function"]],
    ["? [a]\n: 1", ["line 1, column 1: a key must be a single word"]],
    ["version: 1\nrules: []\n__proto__: {}", ['line 3, column 1: __proto__: unknown key "__proto__"']],
  ])("%j", (text, expected) => {
    expect(mistakesIn(text)).toEqual(expected);
  });

  it("are told all at once, in the order of the file", () => {
    const two = [rule({ mode: "on" }), rule({ id: "b", on: [] }), rule({ id: "c" }), rule({ id: "c" })];
    expect(
      mistakesIn(JSON.stringify({ version: 1, rules: two }, null, 1)).map((line) =>
        line.replace(/^line [0-9]+, column [0-9]+: /, ""),
      ),
    ).toEqual([
      "rule scam, mode: must be one of off, shadow, review, enforce",
      "rule b, on: is empty",
      'rule c, id: "c" is the id of an earlier rule',
    ]);
  });

  it("are told of the rules, too, where the rest of the file is wrong", () => {
    const text = `version: 1
defaults: {mode: shadowy}
rules:
  - {id: A, on: [cast.created], when: {is_reply: true}, then: [{hide: {}}]}`;
    expect(mistakesIn(text)).toMatchObject([
      expect.stringContaining("line 2, column 18: defaults.mode: must be one of"),
      expect.stringContaining("line 4, column 10: rules[0].id: must be 1 to 40"),
    ]);
  });

  it("are not looked for in rules whose lists are wrong", () => {
    const named = rule({ when: { text: { in: "friends" } } });
    expect(mistakesIn(JSON.stringify({ version: 1, lists: { Friends: [] }, rules: [named] }))).toHaveLength(
      1,
    );
  });
});
