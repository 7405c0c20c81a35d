import { describe, expect, it } from "vitest";
import { channelsOfChange, compareRules } from "../../../src/rules/versions/compare-rules.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { rule, ruleFile, ruleSetOf } from "../../support/rules.ts";

const ids = (rules: { id: string }[]) => rules.map(({ id }) => id);
/** Keys that differ when one rule becomes the other. */
const keys = (before: unknown, after: unknown) =>
  compareRules(ruleSetOf(before), ruleSetOf(after)).changed.map((change) => change.keys);

describe("a new version of rules", () => {
  it("adds all of them where there were none", () => {
    const changes = compareRules(undefined, ruleSetOf(rule()));
    expect(ids(changes.added)).toEqual(["scam"]);
    expect(changes).toMatchObject({ removed: [], changed: [], unchanged: 0, exemptChanged: false });
  });

  it("tells by their ids which come, go, change and stay", () => {
    const before = ruleSetOf(rule(), rule({ id: "gone" }), rule({ id: "same" }));
    const after = ruleSetOf(rule({ id: "same" }), rule({ mode: "off" }), rule({ id: "new" }));
    const changes = compareRules(before, after);
    expect([ids(changes.added), ids(changes.removed), changes.unchanged]).toEqual([["new"], ["gone"], 1]);
    expect(changes.changed).toMatchObject([
      { before: { id: "scam", mode: "enforce" }, after: { id: "scam", mode: "off" }, keys: ["mode"] },
    ]);
  });

  it.each([
    ["a default that is written out", { on_unknown: "skip", priority: 0, stop: false }, []],
    ["what becomes of what is not known", { on_unknown: "review" }, [["on_unknown"]]],
    ["what comes after it", { stop: true, priority: 5 }, [["priority", "stop"]]],
    ["what it looks for", { when: { text: { contains: "mint" } } }, [["when"]]],
    ["a key that is new", { channels: ["art"] }, [["channels"]]],
  ])("finds changed, of %s, what it means", (_, change, expected) => {
    expect(keys(rule(), rule(change)).map((found) => found.toSorted())).toEqual(expected);
    expect(keys(rule(change), rule()).map((found) => found.toSorted())).toEqual(expected);
  });

  it("tells whether others are exempt, in whatever order they are named", () => {
    const exempting = (...exempt: string[]) => parseRules(ruleFile([rule()], { exempt }));
    const change = (before: string[], after: string[]) =>
      compareRules(exempting(...before), exempting(...after)).exemptChanged;
    expect(change(["owner", "moderators"], ["moderators", "owner"])).toBe(false);
    expect(change(["owner", "moderators"], ["owner"])).toBe(true);
  });
});

describe("a change concerns", () => {
  const linked = ["art", "art-nouveau", "memes"];
  const inArt = (change = {}) => rule({ id: "art", channels: ["art*"], ...change });
  const concerns = (before: unknown[], after: unknown[]) =>
    channelsOfChange(ruleSetOf(...before), ruleSetOf(...after), linked);

  it.each([
    ["nothing, where nothing changes", [inArt(), rule()], [rule(), inArt()], []],
    ["where a new rule can act", [rule()], [rule(), inArt()], ["art", "art-nouveau"]],
    ["where one that goes could", [rule(), inArt()], [rule()], ["art", "art-nouveau"]],
    ["where one that moves could, and can", [inArt()], [inArt({ channels: ["memes"] })], linked],
    ["all channels, of a rule that names none", [rule(), inArt()], [rule({ mode: "off" }), inArt()], linked],
    ["none that is linked", [], [inArt({ channels: ["other"] })], []],
  ])("%s", (_, before, after, expected) => {
    expect(concerns(before, after)).toEqual(expected);
  });

  it("every channel in which a rule can act, where it changes whom rules leave alone", () => {
    const exempting = (...exempt: string[]) => parseRules(ruleFile([inArt()], { exempt }));
    expect(channelsOfChange(exempting("owner"), exempting(), linked)).toEqual(["art", "art-nouveau"]);
  });
});
