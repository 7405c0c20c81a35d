import { describe, expect, it } from "vitest";
import { leavesOf } from "../../../src/rules/evaluate/condition.ts";
import type { Fact } from "../../../src/rules/facts/fact.ts";
import type { Occurrence } from "../../../src/rules/evaluate/occurrence.ts";
import { authorNames } from "../../../src/rules/facts/author-names.ts";
import { strikePoints } from "../../../src/rules/conditions/author-record.ts";
import { blockers } from "../../../src/rules/conditions/author-blocked-by.ts";
import { channelRoles } from "../../../src/rules/facts/channel-roles.ts";
import { copies } from "../../../src/rules/conditions/duplicate.ts";
import { eventCount } from "../../../src/rules/conditions/event-counts.ts";
import { membership } from "../../../src/rules/conditions/author-in-channel.ts";
import { nameHistory } from "../../../src/rules/conditions/author-name-history.ts";
import { rewardRank } from "../../../src/rules/conditions/author-reward-rank.ts";
import { starterPack } from "../../../src/rules/conditions/author-in-starter-pack.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { readText, textLimit } from "../../../src/rules/text/rule-text.ts";
import {
  castCreated,
  castHash,
  conditionOf,
  factsOf,
  known,
  nameTaken,
  recordHidden,
  rule,
} from "../../support/rules.ts";

const from = { source: "test", at: 1_700_000_000_000 };
const gm = castCreated("gm");
const now = gm.event.occurredAt;
const withCast = (text: string, embeds: string[], mentions: number | null = 0) =>
  castCreated(text, { cast: { hash: castHash, embeds, threadDepth: 0, mentions } });

function read(when: Record<string, unknown>, occurrence: Occurrence, ...facts: [string, Fact<unknown>][]) {
  const [found] = leavesOf(conditionOf(when, occurrence.event.kind));
  return found?.leaf.read(occurrence, factsOf(...facts));
}

const holds = (value: unknown) => ({ truth: true, value });
const fails = (value: unknown) => ({ truth: false, value });

describe("what a condition finds in the event", () => {
  const cut = "only the first part of this long text was read";
  const long = "x".repeat(textLimit + 1);
  const unknown = (why: string) => ({ truth: "unknown", value: null, why });
  const name = { eq: "ann" };

  it.each<[Record<string, unknown>, Occurrence, object]>([
    [{ text: { contains: "x" } }, gm, fails("gm")],
    [{ text: { contains: "x" } }, recordHidden(), unknown("the cast's text is not in the index")],
    [
      { text: { contains: "y" } },
      castCreated(long),
      unknown("the text is long, and only its first part was read"),
    ],
    [{ text: { contains: "x" } }, castCreated("x".repeat(300)), holds("x".repeat(300))],
    [{ text: { contains: "x" } }, castCreated("x".repeat(301)), holds(`${"x".repeat(299)}…`)],
    [{ text: { contains: "scam" } }, castCreated("ＳＣＡＭ!"), holds("ＳＣＡＭ!")],
    [{ name }, nameTaken("Ann"), holds("Ann")],
    [{ name }, nameTaken("x", { name: null }), unknown("the event is not about a name")],
    [{ "text.length": { gte: 2 } }, gm, holds(2)],
    [{ "text.length": { gte: 2 } }, recordHidden(), unknown("the cast's text is not in the index")],
    [{ "text.length": { lt: 2 } }, castCreated(long), unknown(cut)],
    [{ "text.length": { gte: 2 } }, castCreated(long), holds(textLimit)],
    [{ "text.links": { gte: 1 } }, recordHidden(), unknown("the cast's text is not in the index")],
    [{ "text.links": { gte: 1 } }, castCreated(long), unknown(cut)],
    [
      { "text.links": { gte: 1 } },
      recordHidden({ text: readText("gm") }),
      unknown("what the cast embeds is not in the index"),
    ],
    [{ "text.links": { gte: 1 } }, withCast("www.a.example", []), holds(1)],
    [{ "mentions.count": { gte: 1 } }, withCast("", [], 3), holds(3)],
    [
      { "mentions.count": { gte: 1 } },
      withCast("", [], null),
      unknown("the cast's mentions are not in the index"),
    ],
    [
      { "mentions.count": { gte: 1 } },
      castCreated("", { cast: null }),
      unknown("the cast's mentions are not in the index"),
    ],
    [{ "thread.depth": { eq: 0 } }, gm, holds(0)],
    [{ "thread.depth": { eq: 0 } }, recordHidden(), unknown("the cast is not in the index")],
    [{ is_reply: true }, gm, fails(false)],
    [{ is_reply: true }, recordHidden(), unknown("the cast is not in the index")],
    [{ "author.fid": { eq: 7 } }, gm, holds(7)],
    [{ "author.fid": { ne: 7 } }, castCreated("", { authorFid: null }), unknown("the author is not known")],
    [{ "embed.domain": { eq: "a.example" } }, gm, fails(null)],
    [
      { "embed.domain": { eq: "a.example" } },
      withCast("www.c.example", ["https://b.example"]),
      fails("b.example, www.c.example"),
    ],
    [
      { "embed.domain": { eq: "a.example" } },
      withCast(
        "",
        Array.from({ length: 11 }, (_, index) => `https://b${index}.example`),
      ),
      fails(Array.from({ length: 10 }, (_, index) => `b${index}.example`).join(", ")),
    ],
    [{ "embed.domain": { eq: "a.example" } }, recordHidden(), unknown("the cast is not in the index")],
    [
      { "embed.domain": { eq: "a.example" } },
      recordHidden({ text: readText("gm") }),
      unknown("the cast is not in the index"),
    ],
    [
      { "embed.domain": { eq: "a.example" } },
      castCreated("", { text: null }),
      unknown("the cast is not in the index"),
    ],
    [{ "embed.domain": { eq: "a.example" } }, castCreated(long), unknown(cut)],
    [{ "embed.domain": { eq: "x.example" } }, castCreated(`www.x.example ${long}`), holds("www.x.example")],
    [{ time: { days: ["tue"] } }, gm, holds("Tue 22:13")],
    [{ time: { days: ["wed"], zone: "Asia/Tokyo" } }, gm, holds("Wed 07:13")],
    [{ time: { between: ["22:13", "22:14"] } }, gm, holds("Tue 22:13")],
    [{ time: { days: ["mon", "tue"] } }, gm, holds("Tue 22:13")],
    [{ time: { between: ["22:13", "06:00"] } }, gm, holds("Tue 22:13")],
    [{ time: { between: ["22:13", "22:13"] } }, gm, fails("Tue 22:13")],
    [{ time: { between: ["23:00", "22:14"] } }, gm, holds("Tue 22:13")],
    [{ time: { between: ["22:14", "22:13"] } }, gm, fails("Tue 22:13")],
  ])("%j: %#", (when, occurrence, expected) => {
    expect(read(when, occurrence)).toEqual(expected);
  });
});

describe("what a condition finds among the facts", () => {
  const held = (heldSince: number | null) => known(nameHistory, { gained: [], heldSince });
  const gained = (...ages: number[]) =>
    known(nameHistory, { gained: ages.map((age) => now - age), heldSince: null });
  const changes = { "author.name_changes": { within: "1h", gte: 1 } };
  const names = (...texts: string[]) => known(authorNames, texts);

  it.each<[Record<string, unknown>, [string, Fact<unknown>], object]>([
    [{ "author.is_member": false }, known(membership, true), fails(true)],
    [{ "author.strikes": { gte: 2 } }, known(strikePoints, 3), holds(3)],
    [{ "author.reward_rank": { gte: 2 } }, known(rewardRank, null), fails(null)],
    [{ "author.in_starter_pack": { id: "a" } }, known(starterPack("a"), true), holds(true)],
    [{ "author.name_age": { lt: "7d" } }, held(now - 90_000), holds("1d")],
    [{ "author.name_age": { lt: "7d" } }, held(now + 5), holds("0s")],
    [changes, gained(3599), holds(1)],
    [changes, gained(3600), fails(0)],
    [changes, gained(0), holds(1)],
    [changes, gained(-1), fails(0)],
    [{ "author.name": { eq: "bob" } }, names("Ann", "bob"), holds("bob")],
    [{ "author.name": { eq: "x" } }, names("Ann", "bob"), fails("Ann, bob")],
    [{ "author.name": { eq: "x" } }, names(), fails(null)],
    [{ "author.name": { eq: "x" } }, names("n".repeat(400)), fails(`${"n".repeat(299)}…`)],
    [{ "author.blocked_by": { gte: 2 } }, known(blockers, { count: 2, missing: "more" }), holds(2)],
    [{ "author.is_moderator": false }, known(channelRoles, { owner: 1, moderators: [7] }), fails(true)],
    [
      { duplicate: { of: "text", by: "author", within: "1h", gte: 3 } },
      known(copies(3600, "author"), 3),
      holds(3),
    ],
    [
      { rate: { of: "cast.created", by: "author", within: "1m", gte: 3 } },
      known(eventCount("cast.created", 60), 2),
      fails(2),
    ],
  ])("%j: %#", (when, fact, expected) => {
    expect(read(when, gm, fact)).toEqual({ ...expected, ...from });
  });

  it("says what else cannot be known", () => {
    const unknown = (why: string) => ({ truth: "unknown", value: null, why, ...from });
    expect(read({ "author.name_age": { lt: "7d" } }, gm, held(null))).toEqual(
      unknown("the author holds no name"),
    );
    const blocked = known(blockers, { count: 1, missing: "more were not asked" });
    expect(read({ "author.blocked_by": { gte: 2 } }, gm, blocked)).toEqual(unknown("more were not asked"));
    expect(read({ "author.is_moderator": true }, { ...gm, authorFid: null })).toEqual(
      unknown("the author is not known"),
    );
  });
});

describe("a condition with a list of the file", () => {
  const lists = {
    raiders: { type: "fid", values: [7, 9] },
    scams: { type: "domain", values: ["a.example"] },
    words: { type: "text", values: ["gm"] },
  };
  const leafOf = (when: Record<string, unknown>) => {
    const [parsed] = parseRules(JSON.stringify({ version: 1, lists, rules: [rule({ when })] })).rules;
    const [found] = parsed ? leavesOf(parsed.when) : [];
    if (!found) throw new Error("no condition was read");
    return found.leaf;
  };
  const fids = (when: Record<string, unknown>) =>
    [7, 8, 9].filter(
      (authorFid) => leafOf(when).read(castCreated("", { authorFid }), factsOf()).truth === true,
    );

  it("says which, looks things up in it, and names it", () => {
    const raiders = { "author.fid": { in_list: "raiders" } };
    expect(leafOf(raiders)).toMatchObject({
      sentence: "the author's fid is in the list raiders",
      lists: ["raiders"],
    });
    expect(fids(raiders)).toEqual([7, 9]);
    const scams = leafOf({ "embed.domain": { in_list: "scams" } });
    expect(scams).toMatchObject({
      sentence: "a domain that the cast links to is in the list scams",
      clues: { domains: ["a.example"] },
      lists: ["scams"],
    });
    expect(scams.read(withCast("www.a.example", []), factsOf())).toEqual({
      truth: true,
      value: "www.a.example",
    });
    expect(leafOf({ text: { in_list: "words" } })).toMatchObject({
      sentence: "the text is in the list words",
      clues: { literals: ["gm"] },
    });
  });
});
