import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ban } from "../../../src/rules/actions/ban.ts";
import { hide } from "../../../src/rules/actions/hide.ts";
import { compareRules } from "../../../src/rules/versions/compare-rules.ts";
import { fitsGlob } from "../../../src/rules/text/glob.ts";
import { changeMode } from "../../../src/rules/language/change-mode.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { suggest } from "../../../src/rules/language/suggest.ts";
import { readText, textLimit } from "../../../src/rules/text/rule-text.ts";
import { author, castCreated, castHash, nameTaken, rule, ruleSetOf } from "../../support/rules.ts";

describe("a pattern of channels", () => {
  it.each([
    ["memes", "memes", true],
    ["memes", "memes2", false],
    ["*", "memes", true],
    ["art-*", "art-", true],
    ["art-*", "art", false],
    ["*-art", "pixel-art", true],
    ["a*c*e", "abcde", true],
    ["a*c*e", "abde", false],
    ["ab*ba", "aba", false],
    ["**", "x", true],
  ])("%s fits %s: %s", (glob, id, expected) => {
    expect(fitsGlob(glob, id)).toBe(expected);
  });

  it("says the same as a regular expression", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
    const id = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 });
    fc.assert(
      fc.property(word, id, (glob, id) => {
        expect(fitsGlob(glob, id)).toBe(new RegExp(`^${glob.replaceAll("*", ".*")}$`).test(id));
      }),
    );
  });
});

describe("a text, normalised", () => {
  it("stays as it is when it is normalised again, and within its limit", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (raw) => {
        const { plain } = readText(raw);
        expect(readText(plain).plain).toBe(plain);
      }),
    );
    // One character that becomes eighteen.
    const wide = readText("\uFDFA".repeat(textLimit));
    expect([wide.plain.length, wide.cut]).toEqual([textLimit, true]);
    expect(readText("x".repeat(100_000)).raw.length).toBe(textLimit);
  });
});

describe("a suggestion", () => {
  it.each([
    ["mdoe", "mode"],
    ["modes", "mode"],
    ["Mode", "mode"],
    ["chanels", "channels"],
  ])("for %s is %s", (written, meant) => {
    expect(suggest(written, ["mode", "channels", "then"])).toBe(`; did you mean "${meant}"?`);
  });

  it("is not made for what resembles nothing", () => {
    expect(suggest("colour", ["mode", "channels", "then"])).toBe("");
  });
});

describe("actions", () => {
  it("aim at the cast or its author, and say so", () => {
    expect(hide.schema.parse({}).aim(castCreated("x"))).toEqual({ kind: "hide", castHash });
    const timed = ban.schema.parse({ for: "1d", reason: "spam" });
    expect(timed.sentence).toBe("ban the author for 1d (spam)");
    expect(timed.aim(nameTaken("x"))).toEqual({
      kind: "ban",
      fid: author,
      reason: "spam",
      forSeconds: 86_400,
    });
    expect(ban.schema.parse({}).aim(nameTaken("x"))).toMatchObject({ reason: null, forSeconds: null });
  });

  it("say when there is nothing to aim at", () => {
    expect(ban.schema.parse({}).aim(nameTaken("x", { authorFid: null }))).toEqual({
      impossible: "The author is not known.",
    });
    expect(hide.schema.parse({}).aim(nameTaken("x"))).toHaveProperty("impossible");
  });
});

describe("the difference between two versions", () => {
  it("is told by id, by the keys whose meaning differs, and by nothing else", () => {
    const before = ruleSetOf(
      rule({ id: "same" }),
      rule({ id: "gone" }),
      rule({ id: "mode" }),
      rule({ id: "when" }),
    );
    const reordered = Object.fromEntries(Object.entries(rule({ id: "same", priority: 0 })).toReversed());
    const changed = { when: { text: { contains: "other" } }, stop: true };
    const after = ruleSetOf(
      rule({ id: "new" }),
      reordered,
      rule({ id: "mode", mode: "off" }),
      rule({ id: "when", ...changed }),
    );
    const { added, removed, changed: differing, unchanged } = compareRules(before, after);
    expect([added.map(({ id }) => id), removed.map(({ id }) => id), unchanged]).toEqual([
      ["new"],
      ["gone"],
      1,
    ]);
    expect(differing.map(({ after: { id }, keys }) => [id, keys])).toEqual([
      ["mode", ["mode"]],
      ["when", ["when", "stop"]],
    ]);
  });
});

describe("changing a rule's mode in its file", () => {
  it("keeps everything else, comments too", () => {
    const yaml = `# ours\nversion: 1\nrules:\n  - id: a # first\n    mode: shadow\n    on: [cast.created]\n    when: {text: {contains: x}}\n    then: [{hide: {}}]\n`;
    expect(changeMode(yaml, "a", "enforce")).toBe(yaml.replace("mode: shadow", "mode: enforce"));
  });

  it("adds the mode where it was left to the default, and leaves JSON JSON", () => {
    const json = JSON.stringify({
      version: 1,
      rules: [rule({ id: "x" }), rule({ id: "a", mode: undefined })],
    });
    const changed = changeMode(json, "a", "off");
    expect(JSON.parse(changed)).toMatchObject({ rules: [{ mode: "enforce" }, { id: "a", mode: "off" }] });
    expect(parseRules(changed).rules.map(({ mode }) => mode)).toEqual(["off", "enforce"]);
  });

  it("refuses a rule that is not there", () => {
    expect(() => changeMode("version: 1\nrules: []\n", "a", "off")).toThrow('There is no rule "a".');
  });
});
