import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLeafReader, truthOf } from "../../../src/rules/evaluate/condition.ts";
import { Facts } from "../../../src/rules/facts/fact.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { castCreated, castHash } from "../../support/rules.ts";

const fileOf = (when: unknown, lists: object = {}) =>
  JSON.stringify({
    version: 1,
    lists,
    rules: [{ id: "a", mode: "shadow", on: ["cast.created"], when, then: [{ hide: {} }] }],
  });
const remarksOn = (when: unknown, lists?: object) =>
  parseRules(fileOf(when, lists)).remarks.map(({ message }) => message);

describe("a rule that can never fire is named with why", () => {
  it.each<[string, unknown, RegExp]>([
    ["a backspace", { text: { matches: "\bfree\b" } }, /U\+0008.*double quotes.*single quotes/],
    ["a bell", { text: { matches: "free\u0007" } }, /U\+0007/],
    ["an escape character", { text: { matches: "free\u001B" } }, /U\+001B.*remove it/],
    ["an edge of Cyrillic", { text: { matches: String.raw`(?i)\bскам\b` } }, /\\b knows only.*\\pL/],
    ["an edge after é", { text: { matches: String.raw`\bcafé\b` } }, /\\b knows only/],
    ["an edge before a choice", { text: { matches: String.raw`\b(скам|обман)` } }, /\\b knows only/],
    ["an edge after a choice", { text: { matches: String.raw`(скам|обман)\b` } }, /\\b knows only/],
    ["an edge after a class", { text: { matches: String.raw`бесплатн[а-я]+\b` } }, /\\b knows only/],
    ["ASCII letters alone", { text: { matches: String.raw`скам\w+` } }, /\\w matches only/],
    ["slashes", { text: { matches: "/free/i" } }, /slashes.*write \(\?i\)free/],
    ["slashes without flags", { text: { matches: "/free/" } }, /slashes.*write free/],
    ["typographic quotes", { text: { contains: "“x”" } }, /typographic quotes.*"x"/],
    ["German ones", { text: { starts_with: "„gratis“" } }, /typographic quotes.*"gratis"/],
    ["French ones", { text: { in: ["«gratuit»", "x"] } }, /typographic quotes.*"gratuit"/],
    ["no time", { time: { between: ["08:00", "08:00"] } }, /the span is empty/],
    ["no length", { "text.length": { lt: 0 } }, /the text's length is never below 0/],
    ["no casts", { "author.casts": { lt: 1 } }, /never below 1/],
    ["nobody", { "author.fid": { in: [0] } }, /never below 1/],
    ["too many mentions", { "mentions.count": { gt: 10 } }, /from 0 to 10/],
    ["not what is always so", { not: { "text.length": { gte: 0 } } }, /true for every event/],
    [
      "bounds that do not meet",
      { all: [{ "text.length": { gt: 5 } }, { "text.length": { lt: 6 } }] },
      /both cannot/,
    ],
    [
      "yes and no",
      { all: [{ is_reply: true }, { "text.links": { gte: 1 } }, { is_reply: false }] },
      /both cannot/,
    ],
    [
      "the same in a list of its own",
      { all: [{ is_reply: true }, { all: [{ is_reply: false }] }] },
      /both cannot/,
    ],
    [
      "a text and that it is not there",
      { all: [{ text: { contains: "a" } }, { not: { text: { contains: "a" } } }] },
      /both cannot/,
    ],
    ["a text that is too long", { "text.length": { gt: 10_240 } }, /from 0 to 10240/],
    ["an @ before a name", { "author.name": { eq: "@alice" } }, /names have only.*no @/],
    ["a name of another alphabet", { "author.name": { contains: "алиса" } }, /names have only/],
    ["what is no domain", { "embed.domain": { eq: "evil.exam-ple" } }, /not a domain: evil\.exam-ple/],
  ])("%s", (_, when, message) => {
    expect(remarksOn(when)).toEqual([expect.stringMatching(message)]);
  });

  it.each(["domain", "text", "fid", "name"])("an empty list of type %s", (type) => {
    const when = {
      domain: { "embed.domain": { in_list: "none" } },
      text: { text: { in_list: "none" } },
      fid: { "author.fid": { in_list: "none" } },
      name: { "author.name": { in_list: "none" } },
    }[type];
    expect(remarksOn(when, { none: { type, values: [] } })).toEqual(
      ["never holds: the list none is empty"].map((end) => expect.stringContaining(end)),
    );
  });

  it("by line and column, and the rest of the file is as it was", () => {
    const { rules, remarks } = parseRules(
      [
        "version: 1",
        "rules:",
        "  - id: a",
        "    mode: shadow",
        "    on: [cast.created]",
        "    when:",
        "      all:",
        "        - text: { contains: free }",
        "        - text.length: { lt: 0 }",
        "    then: [{ hide: {} }]",
        "  - { id: b, mode: shadow, on: [cast.created], when: { is_reply: true }, then: [{ hide: {} }] }",
      ].join("\n"),
    );
    expect(rules.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(remarks).toEqual([
      {
        path: "line 9, column 24",
        message: "rule a, when.all[1].text.length: never holds: the text's length is never below 0",
      },
    ]);
  });

  it.each([
    { text: { matches: String.raw`\bfree\b.{0,9}скам` } },
    { text: { matches: String.raw`(?i)(^|[^\pL])скам([^\pL]|$)` } },
    { text: { matches: "https?://a/b/" } },
    { text: { matches: String.raw`\x08` } },
    { text: { contains: "he said “x” to me" } },
    { text: { contains: "rock ’n’ roll" } },
    { time: { between: ["22:00", "06:00"] } },
    { "text.length": { eq: 0 } },
    { "text.length": { ne: 0 } },
    { any: [{ "text.length": { gt: 5 } }, { "text.length": { lt: 3 } }] },
    { all: [{ "text.length": { gt: 5 } }, { "text.length": { lt: 7 } }] },
    { all: [{ "text.length": { gt: 5 } }, { not: { "text.length": { lt: 7 } } }] },
    { not: { "text.length": { lt: 0 } } },
    { all: [{ text: { contains: "a" } }, { not: { text: { contains: "b" } } }] },
    { any: [{ text: { contains: "a" } }, { not: { text: { contains: "a" } } }] },
    { "author.name": { contains: "Аlice Eth" } },
    { "author.name": { in: ["@alice", "alice.eth"] } },
    { "author.name": { matches: "[^a-z]" } },
    { "embed.domain": { in: ["evil.example", "203.0.113.7", "пример.рф", "a_b.example"] } },
  ])("and no other: %j", (when) => {
    expect(remarksOn(when)).toEqual([]);
  });

  it("says what NaN is", () => {
    expect(() =>
      parseRules(
        "version: 1\nrules:\n- {id: a, mode: shadow, on: [cast.created], when: {text.length: {gt: .nan}}, then: [{hide: {}}]}",
      ),
    ).toThrow(
      expect.objectContaining({
        mistakes: [expect.objectContaining({ message: expect.stringContaining("NaN") })],
      }),
    );
  });
});

it("what is said never to hold never holds, whatever the bounds and the cast", () => {
  const test = fc.oneof(
    fc
      .record({ kind: fc.constantFrom("eq", "ne", "lt", "lte", "gt", "gte"), at: fc.nat(4) })
      .map(({ kind, at }) => ({ [kind]: at })),
    fc
      .tuple(fc.nat(4), fc.nat(4))
      .map(([from, to]) => ({ between: [Math.min(from, to), Math.max(from, to)] })),
    fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 }).map((values) => ({ in: values })),
  );
  const leaf = fc.oneof(
    test.map((length) => ({ "text.length": length })),
    test.map((depth) => ({ "thread.depth": depth })),
    fc.boolean().map((reply) => ({ is_reply: reply })),
  );
  const all = fc.array(leaf, { minLength: 1, maxLength: 3 }).map((parts) => ({ all: parts }));
  fc.assert(
    fc.property(fc.oneof(leaf, all), fc.nat(5), fc.nat(5), (when, length, threadDepth) => {
      const { rules, remarks } = parseRules(fileOf(when));
      fc.pre(remarks.length > 0);
      const cast = { hash: castHash, embeds: [], threadDepth, mentions: 0 };
      const occurrence = castCreated("x".repeat(length), { cast });
      const truths = rules.map((one) => truthOf(one.when, createLeafReader(occurrence, new Facts())));
      expect([when, truths]).toEqual([when, [false]]);
    }),
    { numRuns: 100 },
  );
});
