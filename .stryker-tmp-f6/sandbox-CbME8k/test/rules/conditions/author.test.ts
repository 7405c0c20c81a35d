// @ts-nocheck
import { describe, expect, it } from "vitest";
import { explain, leavesOf, truthOf } from "../../../src/rules/evaluate/condition.ts";
import type { Fact } from "../../../src/rules/evaluate/fact.ts";
import { askAuthorNames } from "../../../src/rules/facts/author-names.ts";
import { askCases, askStrikes } from "../../../src/rules/facts/author-record.ts";
import { askBlockers } from "../../../src/rules/facts/blockers.ts";
import { askChannelNames, type ChannelGroup } from "../../../src/rules/facts/channel-names.ts";
import { askDuplicates } from "../../../src/rules/facts/duplicates.ts";
import { askFollowing } from "../../../src/rules/facts/following.ts";
import { askHistory } from "../../../src/rules/facts/history.ts";
import { askNameHistory } from "../../../src/rules/facts/name-history.ts";
import { askPrimaryAddress } from "../../../src/rules/facts/primary-address.ts";
import { askRestriction } from "../../../src/rules/facts/restriction.ts";
import { askRewardRank } from "../../../src/rules/facts/reward-rank.ts";
import { askStarterPack } from "../../../src/rules/facts/starter-pack.ts";
import { askVerification } from "../../../src/rules/facts/verification.ts";
import { lookAlikeKeys } from "../../../src/text/skeleton.ts";
import {
  author,
  castCreated,
  conditionOf,
  factsOf,
  known,
  nameTaken,
  notKnown,
} from "../../support/rules.ts";

const cast = castCreated("gm");
const now = cast.event.occurredAt;
const judge = (when: object, ...facts: [string, Fact<unknown>][]) =>
  truthOf(conditionOf(when, "cast.created"), cast, factsOf(...facts));

describe("conditions about the author", () => {
  it.each<[object, [string, Fact<unknown>], boolean]>([
    [{ "author.follows_channel": true }, known(askFollowing, true), true],
    [{ "author.follows_channel": true }, known(askFollowing, false), false],
    [{ "author.restricted": false }, known(askRestriction, false), true],
    [{ "author.has_primary_address": true }, known(askPrimaryAddress, false), false],
    [{ "author.verification": { platform: "github" } }, known(askVerification("github"), true), true],
    [{ "author.verification": { platform: "github" } }, known(askVerification("github"), false), false],
    [{ "author.in_starter_pack": { id: "art" } }, known(askStarterPack("art"), true), true],
    [{ "author.strikes": { gte: 5 } }, known(askStrikes, 5), true],
    [{ "author.strikes": { gte: 5 } }, known(askStrikes, 4), false],
    [{ "author.cases": { eq: 0 } }, known(askCases, 0), true],
    [{ "author.reward_rank": { lte: 100 } }, known(askRewardRank, 100), true],
    [{ "author.reward_rank": { lte: 100 } }, known(askRewardRank, null), false],
    [{ "author.name_age": { lt: "7d" } }, known(askNameHistory, { gained: [], heldSince: now - 60 }), true],
    [{ "author.name_age": { lt: "7d" } }, known(askNameHistory, { gained: [], heldSince: now - 8e5 }), false],
    [
      { "author.name_changes": { within: "1d", gte: 2 } },
      known(askNameHistory, { gained: [now - 90_000, now - 80_000, now - 5], heldSince: null }),
      true,
    ],
    [
      { "author.name_changes": { within: "1d", gte: 2 } },
      known(askNameHistory, { gained: [now - 90_000, now - 5, now + 5], heldSince: null }),
      false,
    ],
    [{ "author.name": { contains: "support" } }, known(askAuthorNames, ["ann", "Support-Desk"]), true],
    [{ "author.name": { contains: "support" } }, known(askAuthorNames, []), false],
    [
      { rate: { of: "cast.created", by: "channel", within: "1m", gte: 3 } },
      known(askHistory("cast.created", 60, "channel"), 3),
      true,
    ],
    [
      { duplicate: { of: "text", by: "author", within: "1h", gte: 3 } },
      known(askDuplicates("author", 3600), 2),
      false,
    ],
  ])("%j: %#", (when, fact, expected) => {
    expect(judge(when, fact)).toBe(expected);
    const [leaf] = leavesOf(conditionOf(when, "cast.created"));
    const [ask] = leaf?.leaf.asks ?? [];
    if (!ask) throw new Error("asks for nothing");
    expect(
      explain(conditionOf(when, "cast.created"), cast, factsOf(notKnown(ask, "it is down"))),
    ).toMatchObject({
      truth: "unknown",
      why: "it is down",
    });
  });

  it("shows an age as people say it", () => {
    const condition = conditionOf({ "author.name_age": { lt: "7d" } }, "cast.created");
    const facts = factsOf(known(askNameHistory, { gained: [], heldSince: now - 3 * 86_400 - 5 }));
    expect(explain(condition, cast, facts)).toMatchObject({
      sentence: "the age of the author's name is less than 7d",
      value: "3d",
    });
    expect(truthOf(condition, cast, factsOf(known(askNameHistory, { gained: [], heldSince: null })))).toBe(
      "unknown",
    );
  });

  it.each([
    [{ gte: 2 }, 2, undefined, true],
    [{ gte: 2 }, 1, undefined, false],
    [{ gte: 2 }, 2, "more were not asked", true],
    [{ gte: 2 }, 1, "more were not asked", "unknown"],
    [{ lt: 2 }, 1, "more were not asked", "unknown"],
    [{ eq: 1 }, 1, "more were not asked", "unknown"],
  ])("author.blocked_by %j of %i (%s): %s", (test, count, missing, expected) => {
    expect(judge({ "author.blocked_by": test }, known(askBlockers, { count, missing }))).toBe(expected);
  });

  it("author.is_moderator holds for owner and moderators, where nobody is exempt", () => {
    const condition = conditionOf({ "author.is_moderator": true }, "cast.created");
    const outcomes = [1, 2, 3].map((authorFid) => truthOf(condition, { ...cast, authorFid }, factsOf()));
    expect(outcomes).toEqual([true, true, false]);
  });
});

describe("confusable_with", () => {
  const names = (group: ChannelGroup, held: Record<string, number>, missing?: string) => {
    const holders = new Map<string, number[]>();
    for (const [name, fid] of Object.entries(held))
      for (const key of lookAlikeKeys(name)) holders.set(key, [fid]);
    return known(askChannelNames(group), { holders, missing });
  };
  const look = (taken: string, ...facts: [string, Fact<unknown>][]) =>
    truthOf(
      conditionOf({ name: { confusable_with: ["owner", "moderators"] } }, "username_proof.merged"),
      nameTaken(taken),
      factsOf(...facts),
    );

  it("is about others: not the author's own name, and not names that differ", () => {
    const nobody = names("moderators", {});
    expect(look("a1ice", names("owner", { alice: 1 }), nobody)).toBe(true);
    expect(look("a1ice", names("owner", { alice: author }), nobody)).toBe(false);
    expect(look("alicia", names("owner", { alice: 1 }), nobody)).toBe(false);
    expect(look("a1ice", names("owner", {}), names("moderators", { alice: 2 }))).toBe(true);
  });

  it("is unknown when somebody's name is, unless another looks like it", () => {
    const silent = notKnown(askChannelNames("owner"), "it is down");
    expect(look("a1ice", silent, names("moderators", {}))).toBe("unknown");
    expect(look("a1ice", silent, names("moderators", { alice: 2 }))).toBe(true);
    expect(look("a1ice", names("owner", {}, "one was not read"), names("moderators", {}))).toBe("unknown");
  });
});
