// @ts-nocheck
import { describe, expect, it } from "vitest";
import { confusableWith } from "../../../src/rules/comparisons/confusable-with.ts";
import type { Fact } from "../../../src/rules/evaluate/fact.ts";
import { askChannelNames, type ChannelGroup } from "../../../src/rules/facts/channel-names.ts";
import { needsLists, RuleList } from "../../../src/rules/language/rule-list.ts";
import { readText } from "../../../src/rules/text/rule-text.ts";
import { lookAlikeKeys } from "../../../src/text/skeleton.ts";
import { author, factsOf, known, nameTaken, notKnown } from "../../support/rules.ts";

const [moderator, owner] = [2, 1];
const held = (group: ChannelGroup, name: string, fids: number[], missing?: string) => {
  const holders = new Map([...lookAlikeKeys(name)].map((key) => [key, fids]));
  return known(askChannelNames(group), { holders, missing });
};
const listOf = (type: string, ...values: unknown[]) => RuleList.parse({ type, values });

function look(wanted: string[], name: string, facts: [string, Fact<unknown>][], lists: RuleList[] = []) {
  const parsed = confusableWith.schema.parse(wanted);
  const test = needsLists(parsed) ? parsed.withLists(lists) : parsed;
  return test.holds(readText(name), nameTaken(name), factsOf(...facts));
}

describe("a name that looks like", () => {
  it.each([
    ["that of another", [owner], true],
    ["that of the author and of another", [author, owner], true],
    ["only the author's own", [author], false],
    ["nobody's", [], false],
  ])("%s: %#", (_, fids, expected) => {
    expect(look(["owner"], "a1ice", [held("owner", "alice", fids)])).toBe(expected);
  });

  it("that of another, whatever the case", () => {
    expect(look(["owner"], "Ann", [held("owner", "ann", [owner])])).toBe(true);
    expect(look(["brands"], "Ann", [], [listOf("name", "ann")])).toBe(true);
  });

  it("one on a list of names is told without asking anybody", () => {
    expect(look(["brands"], "cast1e", [], [listOf("name", "castle")])).toBe(true);
    expect(look(["brands"], "castles", [], [listOf("name", "castle")])).toBe(false);
    expect(look(["brands", "owner"], "cast1e", [], [listOf("name", "castle")])).toBe(true);
    expect(look(["brands"], "castle", [], [listOf("text", "castle")])).toBe(false);
  });

  it("somebody's is not known to look like nobody's where one group is not known", () => {
    const down = notKnown(askChannelNames("owner"), "it is down");
    const off = notKnown(askChannelNames("moderators"), "it is off");
    const both = ["owner", "moderators"];
    expect(look(both, "a1ice", [down, off])).toEqual({ why: "it is down" });
    expect(look(both, "a1ice", [down, held("moderators", "alice", [moderator])])).toBe(true);
    expect(look(both, "a1ice", [held("owner", "bob", [owner]), off])).toEqual({ why: "it is off" });
    const partly = held("owner", "bob", [owner], "one was not read");
    expect(look(both, "a1ice", [partly, off])).toEqual({ why: "one was not read" });
    expect(look(both, "a1ice", [down, held("moderators", "bob", [2], "two were not")])).toEqual({
      why: "it is down",
    });
    expect(look(["owner"], "a1ice", [held("owner", "alice", [owner], "one was not read")])).toBe(true);
  });
});

describe("confusable_with", () => {
  it("asks for the groups that it names, and says so", () => {
    expect(confusableWith.name).toBe("confusable_with");
    expect(confusableWith.schema.parse(["members", "owner"])).toMatchObject({
      asks: [askChannelNames("members"), askChannelNames("owner")],
      sentence: "looks like a name of members, owner",
    });
  });

  it("takes other words for lists of names, each in its place", () => {
    const parsed = confusableWith.schema.parse(["brands", "owner", "towns"]);
    expect(parsed).toMatchObject({
      uses: [
        { name: "brands", types: ["name"], path: [0] },
        { name: "towns", types: ["name"], path: [2] },
      ],
    });
    const test = needsLists(parsed) ? parsed.withLists([]) : parsed;
    expect(test).toMatchObject({
      asks: [askChannelNames("owner")],
      sentence: "looks like a name of brands, owner, towns",
    });
  });

  it("takes one to ten names", () => {
    const taken = [0, 1, 10, 11].map(
      (count) => confusableWith.schema.safeParse(Array(count).fill("owner")).success,
    );
    expect(taken).toEqual([false, true, true, false]);
  });
});
