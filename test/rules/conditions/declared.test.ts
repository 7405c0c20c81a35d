import { describe, expect, it } from "vitest";
import { conditionKinds } from "../../../src/rules/conditions/index.ts";
import { leavesOf } from "../../../src/rules/evaluate/condition.ts";
import type { Need } from "../../../src/rules/facts/fact.ts";
import { authorNames } from "../../../src/rules/facts/author-names.ts";
import { caseCount, strikePoints } from "../../../src/rules/conditions/author-record.ts";
import { blockers } from "../../../src/rules/conditions/author-blocked-by.ts";
import { channelNames } from "../../../src/rules/facts/channel-names.ts";
import { channelRoles } from "../../../src/rules/facts/channel-roles.ts";
import { copies } from "../../../src/rules/conditions/duplicate.ts";
import { following, membership, restriction } from "../../../src/rules/conditions/author-in-channel.ts";
import { eventCount } from "../../../src/rules/conditions/event-counts.ts";
import { channelLink } from "../../../src/rules/conditions/links-look-alike.ts";
import { linksOnLists } from "../../../src/rules/conditions/links-known-bad.ts";
import { authorsOfAddress } from "../../../src/rules/conditions/same-address.ts";
import { castsUpTo } from "../../../src/rules/conditions/author-casts.ts";
import { peopleAnswered } from "../../../src/rules/conditions/same-reply.ts";
import { renamings } from "../../../src/rules/conditions/author-renamed.ts";
import { nameHistory } from "../../../src/rules/conditions/author-name-history.ts";
import { primaryAddress } from "../../../src/rules/conditions/author-has-primary-address.ts";
import { rewardRank } from "../../../src/rules/conditions/author-reward-rank.ts";
import { starterPack } from "../../../src/rules/conditions/author-in-starter-pack.ts";
import { verification } from "../../../src/rules/conditions/author-verification.ts";
import { conditionOf } from "../../support/rules.ts";

const onCasts = ["cast.created", "cast.removed", "record.hidden", "record.unhidden"];
const onTexts = [...onCasts, "pin.changed"];
const onUsers = [
  ...onCasts,
  "username_proof.merged",
  "user.banned",
  "user.unbanned",
  "user.restricted",
  "member.joined",
  "member.left",
  "invite.created",
  "follower.added",
  "strike.added",
];

describe("a condition", () => {
  const fields = "fid name is_member is_moderator follows_channel restricted strikes cases renamed name_age";
  const more = "name_changes verification in_starter_pack reward_rank has_primary_address blocked_by";
  const onAuthors = `${fields} ${more}`.split(" ").map((field) => `author.${field}`);
  const listening: [string[], names: string[]][] = [
    [onTexts, ["text", "text.length", "text.links", "embed.pictures", "is_reply", "thread.depth"]],
    [onCasts, ["embed.domain", "links.known_bad", "links.look_alike"]],
    [["cast.created"], ["mentions.count", "author.casts", "duplicate", "same_address", "same_reply"]],
    [onUsers, [...onAuthors, "rate", "history"]],
    [["username_proof.merged"], ["name"]],
    [[...onUsers, "pin.changed", "timer.fired"], ["time"]],
  ];

  it.each(listening.flatMap(([events, names]) => names.map((name) => [name, events] as const)))(
    "%s goes with the events that have what it looks at",
    (name, events) => {
      expect(conditionKinds.find((kind) => kind.name === name)?.events).toEqual(events);
    },
  );

  it.each<[Record<string, unknown>, string, Need[], event?: string]>([
    [{ text: { contains: "x" } }, 'the text contains "x"', []],
    [{ "text.length": { gte: 5 } }, "the text's length is at least 5", []],
    [{ "text.links": { lt: 2 } }, "the number of links in the cast is less than 2", []],
    [{ "mentions.count": { gt: 9 } }, "the number of mentions is more than 9", []],
    [{ "embed.domain": { eq: "A.example" } }, "a domain that the cast links to is a.example", []],
    [
      { "embed.domain": { in: ["a.example", "b.example"] } },
      "a domain that the cast links to is one of a.example, b.example",
      [],
    ],
    [{ "links.known_bad": true }, "the cast links to a known bad address", [linksOnLists]],
    [{ "links.known_bad": false }, "the cast links to no known bad address", [linksOnLists]],
    [{ "links.look_alike": true }, "the cast links to a look-alike address", [channelLink]],
    [{ "links.look_alike": false }, "the cast links to no look-alike address", [channelLink]],
    [{ is_reply: true }, "the cast is a reply", []],
    [{ is_reply: false }, "the cast is not a reply", []],
    [{ "thread.depth": { lte: 3 } }, "the depth in the thread is at most 3", []],
    [{ "author.fid": { eq: 7 } }, "the author's fid is 7", []],
    [{ "author.name": { eq: "ann" } }, 'the author\'s name is "ann"', [authorNames]],
    [
      { "author.name": { confusable_with: ["owner"] } },
      "the author's name looks like a name of owner",
      [authorNames, channelNames("owner")],
    ],
    [{ "author.is_member": true }, "the author is a member", [membership]],
    [{ "author.is_member": false }, "the author is not a member", [membership]],
    [{ "author.is_moderator": true }, "the author moderates the channel", [channelRoles]],
    [{ "author.is_moderator": false }, "the author does not moderate the channel", [channelRoles]],
    [{ "author.follows_channel": true }, "the author follows the channel", [following]],
    [{ "author.follows_channel": false }, "the author does not follow the channel", [following]],
    [{ "author.restricted": true }, "the author is restricted", [restriction]],
    [{ "author.restricted": false }, "the author is not restricted", [restriction]],
    [{ "author.strikes": { gte: 5 } }, "the author's strikes is at least 5", [strikePoints]],
    [{ "author.cases": { eq: 0 } }, "the number of the author's cases is 0", [caseCount]],
    [{ "author.name_age": { lt: "7d" } }, "the age of the author's name is less than 7d", [nameHistory]],
    [
      { "author.name_changes": { within: "30d", gte: 3 } },
      "the number of names that the author took within 30d: 3 or more",
      [nameHistory],
    ],
    [
      { "author.verification": { platform: "x" } },
      "the author has verified an account on x",
      [verification("x")],
    ],
    [
      { "author.in_starter_pack": { id: "art" } },
      "the author is in the starter pack art",
      [starterPack("art")],
    ],
    [{ "author.reward_rank": { lte: 9 } }, "the author's reward rank is at most 9", [rewardRank]],
    [{ "author.has_primary_address": true }, "the author has a primary address", [primaryAddress]],
    [{ "author.has_primary_address": false }, "the author has no primary address", [primaryAddress]],
    [
      { "author.blocked_by": { gte: 2 } },
      "the number of the channel's people who block the author is at least 2",
      [blockers],
    ],
    [{ name: { ne: "ann" } }, 'the name is not "ann"', [], "username_proof.merged"],
    [
      { rate: { of: "cast.created", by: "author", within: "2m", gte: 6 } },
      "cast.created by the author within 2m: 6 or more",
      [eventCount("cast.created", 120, "author")],
    ],
    [
      { rate: { of: "member.joined", by: "channel", within: "1h", gte: 6 } },
      "member.joined in the channel within 1h: 6 or more",
      [eventCount("member.joined", 3600, "channel")],
    ],
    [
      { duplicate: { of: "text", by: "author", within: "1h", gte: 3 } },
      "the same text by the author within 1h: 3 or more",
      [copies(3600, "author")],
    ],
    [
      { duplicate: { of: "text", by: "channel", within: "1m", gte: 3 } },
      "the same text in the channel within 1m: 3 or more",
      [copies(60, "channel")],
    ],
    [
      { history: { event: "record.hidden", by: "author", within: "7d", gte: 1 } },
      "record.hidden by the author within 7d: 1 or more",
      [eventCount("record.hidden", 604_800)],
    ],
    [{ "author.casts": { eq: 1 } }, "the number of the author's casts in the channel is 1", [castsUpTo]],
    [
      { "author.renamed": { within: "1d" } },
      "the author changed their name within 1d",
      [renamings(86_400)],
      "username_proof.merged",
    ],
    [
      { same_address: { of: "domain", within: "10m", gte: 3 } },
      "the number of authors who cast a domain that the cast links to within 10m: 3 or more",
      [authorsOfAddress(600, "domain")],
    ],
    [
      { same_address: { of: "address", within: "1h", gte: 2 } },
      "the number of authors who cast an address of the cast within 1h: 2 or more",
      [authorsOfAddress(3600, "address")],
    ],
    [
      { same_reply: { within: "1h", gte: 5 } },
      "the number of people the author answered with nearly this text within 1h: 5 or more",
      [peopleAnswered(3600)],
    ],
    [{ time: { between: ["22:00", "06:00"] } }, "it happened between 22:00 and 06:00 (UTC)", []],
    [
      { time: { days: ["sat", "sun"], zone: "Europe/Berlin" } },
      "it happened on sat, sun (Europe/Berlin)",
      [],
    ],
    [
      { time: { between: ["09:00", "17:00"], days: ["mon"] } },
      "it happened between 09:00 and 17:00 on mon (UTC)",
      [],
    ],
  ])("%j says what it asks, and asks only that", (when, sentence, needs, event = "cast.created") => {
    const [leaf] = leavesOf(conditionOf(when, event));
    expect(leaf?.leaf.sentence).toBe(sentence);
    expect(leaf?.leaf.needs.map(({ key }) => key)).toEqual(needs.map(({ key }) => key));
  });

  it("is looked at the later the more it costs", () => {
    const dearFirst = [
      { text: { matches: "airdrop" } },
      { time: { days: ["mon"] } },
      { "embed.domain": { eq: "a.example" } },
      { text: { contains: "x" } },
      { "text.length": { gte: 1 } },
    ];
    const node = conditionOf({ all: dearFirst }, "cast.created");
    const names = node.kind === "all" ? node.cheapestFirst.flatMap(leavesOf).map(({ name }) => name) : [];
    expect(names).toEqual(["text.length", "text", "embed.domain", "time", "text"]);
  });

  it.each([
    ["cast.created", { text: { contains: "ɡМ" } }, { literals: ["ɡм", "ɡм"] }],
    ["username_proof.merged", { name: { eq: "Ann" } }, { literals: ["ann"] }],
    [
      "cast.created",
      { "embed.domain": { in: ["a.example", "b.example"] } },
      { domains: ["a.example", "b.example"] },
    ],
    ["cast.created", { "text.links": { gte: 1 } }, { links: true }],
    ["cast.created", { "text.links": { lt: 2 } }, undefined],
    ["cast.created", { same_address: { of: "domain", within: "10m", gte: 3 } }, { links: true }],
    ["cast.created", { same_reply: { within: "10m", gte: 3 } }, { reply: true }],
    ["cast.created", { text: { ne: "gm" } }, undefined],
    ["cast.created", { "author.name": { eq: "ann" } }, undefined],
    ["cast.created", { "text.length": { gte: 1 } }, undefined],
  ])("on %s tells what must be there for it to hold: %j", (event, when, clues) => {
    const [leaf] = leavesOf(conditionOf(when, event));
    expect(leaf?.leaf.clues).toEqual(clues);
    expect(Object.hasOwn(leaf?.leaf ?? {}, "clues")).toBe(clues !== undefined);
  });
});
