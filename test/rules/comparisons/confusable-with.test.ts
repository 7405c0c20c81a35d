import { describe, expect, it } from "vitest";
import { confusableWith } from "../../../src/rules/comparisons/confusable-with.ts";
import type { Fact } from "../../../src/rules/facts/fact.ts";
import { channelNames, type ChannelGroup } from "../../../src/rules/facts/channel-names.ts";
import { RuleList } from "../../../src/rules/language/rule-list.ts";
import { readText } from "../../../src/rules/text/rule-text.ts";
import { lookAlikeKeys } from "../../../src/text/skeleton.ts";
import { author, factsOf, known, nameTaken, notKnown } from "../../support/rules.ts";

const [moderator, owner] = [2, 1];
const held = (group: ChannelGroup, name: string, fids: number[], missing?: string) => {
  const holders = new Map([...lookAlikeKeys(name)].map((key) => [key, fids]));
  return known(channelNames(group), { holders, missing });
};
const listOf = (type: string, ...values: unknown[]) => RuleList.parse({ type, values });

function look(wanted: string[], name: string, facts: [string, Fact<unknown>][], brands?: RuleList) {
  const lists = new Map(brands ? [["brands", brands]] : []);
  const test = confusableWith.schema(lists).parse(wanted);
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
    expect(look(["brands"], "Ann", [], listOf("name", "ann"))).toBe(true);
  });

  it("one on a list of names is told without asking anybody", () => {
    expect(look(["brands"], "cast1e", [], listOf("name", "castle"))).toBe(true);
    expect(look(["brands"], "castles", [], listOf("name", "castle"))).toBe(false);
    expect(look(["brands", "owner"], "cast1e", [], listOf("name", "castle"))).toBe(true);
  });

  it("somebody's is not known to look like nobody's where one group is not known", () => {
    const down = notKnown(channelNames("owner"), "it is down");
    const off = notKnown(channelNames("moderators"), "it is off");
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
    expect(confusableWith.schema(new Map()).parse(["members", "owner"])).toMatchObject({
      needs: [channelNames("members"), channelNames("owner")],
      sentence: "looks like a name of members, owner",
    });
  });

  it("takes other words for lists of names, each in its place", () => {
    const lists = new Map([
      ["brands", listOf("name", "castle")],
      ["towns", listOf("text", "castle")],
    ]);
    const { error } = confusableWith.schema(lists).safeParse(["brands", "owner", "towns", "teams"]);
    expect(error?.issues).toMatchObject([
      { path: [2], message: "the list towns is of type text; here it must be name" },
      { path: [3], message: 'there is no list "teams"' },
    ]);
    lists.set("towns", listOf("name", "tower"));
    expect(confusableWith.schema(lists).parse(["brands", "owner", "towns"])).toMatchObject({
      lists: ["brands", "towns"],
      needs: [channelNames("owner")],
      sentence: "looks like a name of brands, owner, towns",
    });
  });

  it("takes one to ten names", () => {
    const taken = [0, 1, 10, 11].map(
      (count) => confusableWith.schema(new Map()).safeParse(Array(count).fill("owner")).success,
    );
    expect(taken).toEqual([false, true, true, false]);
  });
});
