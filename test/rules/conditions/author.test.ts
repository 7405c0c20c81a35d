import { describe, expect, it } from "vitest";
import { explain, leavesOf, truthOf, createLeafReader } from "../../../src/rules/evaluate/condition.ts";
import type { Fact } from "../../../src/rules/facts/fact.ts";
import { authorNames } from "../../../src/rules/facts/author-names.ts";
import { caseCount, strikePoints } from "../../../src/rules/conditions/author-record.ts";
import { blockers } from "../../../src/rules/conditions/author-blocked-by.ts";
import { channelNames, type ChannelGroup } from "../../../src/rules/facts/channel-names.ts";
import { copies } from "../../../src/rules/conditions/duplicate.ts";
import { following, membership, restriction } from "../../../src/rules/conditions/author-in-channel.ts";
import { eventCount } from "../../../src/rules/conditions/event-counts.ts";
import { nameHistory } from "../../../src/rules/conditions/author-name-history.ts";
import { primaryAddress } from "../../../src/rules/conditions/author-has-primary-address.ts";
import { rewardRank } from "../../../src/rules/conditions/author-reward-rank.ts";
import { starterPack } from "../../../src/rules/conditions/author-in-starter-pack.ts";
import { verification } from "../../../src/rules/conditions/author-verification.ts";
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
  truthOf(conditionOf(when, "cast.created"), createLeafReader(cast, factsOf(...facts)));

describe("conditions about the author", () => {
  it.each<[object, [string, Fact<unknown>], boolean]>([
    [{ "author.is_member": true }, known(membership, true), true],
    [{ "author.is_member": true }, known(membership, false), false],
    [{ "author.is_member": false }, known(membership, false), true],
    [{ "author.follows_channel": true }, known(following, true), true],
    [{ "author.follows_channel": true }, known(following, false), false],
    [{ "author.restricted": false }, known(restriction, false), true],
    [{ "author.has_primary_address": true }, known(primaryAddress, false), false],
    [{ "author.verification": { platform: "github" } }, known(verification("github"), true), true],
    [{ "author.verification": { platform: "github" } }, known(verification("github"), false), false],
    [{ "author.in_starter_pack": { id: "art" } }, known(starterPack("art"), true), true],
    [{ "author.strikes": { gte: 5 } }, known(strikePoints, 5), true],
    [{ "author.strikes": { gte: 5 } }, known(strikePoints, 4), false],
    [{ "author.cases": { eq: 0 } }, known(caseCount, 0), true],
    [{ "author.reward_rank": { lte: 100 } }, known(rewardRank, 100), true],
    [{ "author.reward_rank": { lte: 100 } }, known(rewardRank, null), false],
    [{ "author.name_age": { lt: "7d" } }, known(nameHistory, { gained: [], heldSince: now - 60 }), true],
    [{ "author.name_age": { lt: "7d" } }, known(nameHistory, { gained: [], heldSince: now - 8e5 }), false],
    [
      { "author.name_changes": { within: "1d", gte: 2 } },
      known(nameHistory, { gained: [now - 90_000, now - 80_000, now - 5], heldSince: null }),
      true,
    ],
    [
      { "author.name_changes": { within: "1d", gte: 2 } },
      known(nameHistory, { gained: [now - 90_000, now - 5, now + 5], heldSince: null }),
      false,
    ],
    [{ "author.name": { contains: "support" } }, known(authorNames, ["ann", "Support-Desk"]), true],
    [{ "author.name": { contains: "support" } }, known(authorNames, []), false],
    [
      { history: { event: "record.hidden", by: "author", within: "7d", gte: 3 } },
      known(eventCount("record.hidden", 7 * 86_400), 3),
      true,
    ],
    [
      { rate: { of: "cast.created", by: "channel", within: "1m", gte: 3 } },
      known(eventCount("cast.created", 60, "channel"), 3),
      true,
    ],
    [
      { duplicate: { of: "text", by: "author", within: "1h", gte: 3 } },
      known(copies(3600, "author"), 2),
      false,
    ],
  ])("%j: %#", (when, fact, expected) => {
    expect(judge(when, fact)).toBe(expected);
    const [leaf] = leavesOf(conditionOf(when, "cast.created"));
    const [need] = leaf?.leaf.needs ?? [];
    if (!need) throw new Error("asks for nothing");
    expect(
      explain(
        conditionOf(when, "cast.created"),
        createLeafReader(cast, factsOf(notKnown(need, "it is down"))),
      ),
    ).toMatchObject({
      truth: "unknown",
      why: "it is down",
      source: "test",
      at: 1_700_000_000_000,
    });
  });

  it.each([
    [{ gte: 2 }, 2, undefined, true],
    [{ gte: 2 }, 1, undefined, false],
    [{ gte: 2 }, 2, "more were not asked", true],
    [{ gte: 2 }, 1, "more were not asked", "unknown"],
    [{ lt: 2 }, 1, "more were not asked", "unknown"],
    [{ eq: 1 }, 1, "more were not asked", "unknown"],
  ])("author.blocked_by %j of %i (%s): %s", (test, count, missing, expected) => {
    expect(judge({ "author.blocked_by": test }, known(blockers, { count, missing }))).toBe(expected);
  });

  it("author.is_moderator holds for owner and moderators, where nobody is exempt", () => {
    const condition = conditionOf({ "author.is_moderator": true }, "cast.created");
    const outcomes = [1, 2, 3].map((authorFid) =>
      truthOf(condition, createLeafReader({ ...cast, authorFid }, factsOf())),
    );
    expect(outcomes).toEqual([true, true, false]);
  });
});

describe("confusable_with", () => {
  const names = (group: ChannelGroup, held: Record<string, number>, missing?: string) => {
    const holders = new Map<string, number[]>();
    for (const [name, fid] of Object.entries(held))
      for (const key of lookAlikeKeys(name)) holders.set(key, [fid]);
    return known(channelNames(group), { holders, missing });
  };
  const look = (taken: string, ...facts: [string, Fact<unknown>][]) =>
    truthOf(
      conditionOf({ name: { confusable_with: ["owner", "moderators"] } }, "username_proof.merged"),
      createLeafReader(nameTaken(taken), factsOf(...facts)),
    );

  it("is about others: not the author's own name, and not names that differ", () => {
    const nobody = names("moderators", {});
    expect(look("a1ice", names("owner", { alice: 1 }), nobody)).toBe(true);
    expect(look("a1ice", names("owner", { alice: author }), nobody)).toBe(false);
    expect(look("alicia", names("owner", { alice: 1 }), nobody)).toBe(false);
    expect(look("a1ice", names("owner", {}), names("moderators", { alice: 2 }))).toBe(true);
  });

  it("is unknown when somebody's name is, unless another looks like it", () => {
    const silent = notKnown(channelNames("owner"), "it is down");
    expect(look("a1ice", silent, names("moderators", {}))).toBe("unknown");
    expect(look("a1ice", silent, names("moderators", { alice: 2 }))).toBe(true);
    expect(look("a1ice", names("owner", {}, "one was not read"), names("moderators", {}))).toBe("unknown");
  });
});
