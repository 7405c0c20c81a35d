import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { createRuleContext } from "../../../src/rules/context.ts";
import type { Need } from "../../../src/rules/facts/fact.ts";
import { authorNames } from "../../../src/rules/facts/author-names.ts";
import { blockers } from "../../../src/rules/conditions/author-blocked-by.ts";
import { channelNames } from "../../../src/rules/facts/channel-names.ts";
import { following, restriction } from "../../../src/rules/conditions/author-in-channel.ts";
import { nameHistory } from "../../../src/rules/conditions/author-name-history.ts";
import { primaryAddress } from "../../../src/rules/conditions/author-has-primary-address.ts";
import { rewardRank } from "../../../src/rules/conditions/author-reward-rank.ts";
import { starterPack } from "../../../src/rules/conditions/author-in-starter-pack.ts";
import { verification } from "../../../src/rules/conditions/author-verification.ts";
import { author, castCreated, loadFacts } from "../../support/rules.ts";
import { lookAlikeKeys } from "../../../src/text/skeleton.ts";
import { useRuleEngine } from "../../support/rule-engine.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { network } = engine;
const { database } = network.context;

const db = database.query;
const stranger = 8;

beforeEach(async () => {
  for (const fid of [1, 2, 3, author, stranger]) await network.seed.account(fid);
});

/** What is known of the author and of a stranger. */
async function read<T>(need: Need<T>) {
  const occurrences = [author, stranger].map((authorFid) => castCreated("gm", { authorFid }));
  const facts = await loadFacts(
    engine.context,
    occurrences.map((occurrence) => ({ occurrence, needs: [need] })),
  );
  return facts.map((known) => {
    const fact = known.read(need);
    return fact.known ? fact.value : fact.why;
  });
}

async function transfer(id: number, username: string, from: number, to: number, timestamp: number) {
  const signatures = { user_signature: "0x", server_signature: "0x" };
  await db
    .insertInto("network.transfers")
    .values({ id, timestamp, username, owner: "0x", from_fid: from, to_fid: to, ...signatures })
    .execute();
  await db.deleteFrom("network.names").where("name", "=", username).execute();
  if (to > 0)
    await db.insertInto("network.names").values({ name: username, fid: to, transfer_id: id }).execute();
}

const name = (name: string, fid: number) =>
  db.insertInto("castellan.names").values({ name, fid, owner: "0x", since: 1 }).execute();
const member = (fid: number, at: number) =>
  db
    .insertInto("castellan.listing_entries")
    .values({ channel_id: "memes", listing: "members", fid, at, role: null, inviter_fid: null })
    .execute();

describe("what the network knows of the author", () => {
  it("whether they follow the channel", async () => {
    await network.seed.follow(author, "memes");
    expect(await read(following)).toEqual([true, false]);
  });

  it("whether they are restricted", async () => {
    await network.as(1).channelBans.ban({ channelId: "memes", banFid: author });
    await network.as(1).channelBans.unban({ channelId: "memes", unbanFid: author });
    expect(await read(restriction)).toEqual([true, false]);
  });

  it("whether they have proved an account on one platform", async () => {
    await db
      .insertInto("network.verifications")
      .values({ fid: author, platform: "github", platform_id: "1", platform_username: "a", verified_at: 1 })
      .execute();
    expect(await read(verification("github"))).toEqual([true, false]);
    expect(await read(verification("discord"))).toEqual([false, false]);
  });

  it("whether they are in a starter pack; a pack that there is not leaves it unknown", async () => {
    await db.insertInto("network.starter_packs").values({ id: "art" }).execute();
    await db
      .insertInto("network.starter_pack_members")
      .values({ pack_id: "art", fid: author, member_at_ms: 1 })
      .execute();
    expect(await read(starterPack("art"))).toEqual([true, false]);
    expect(await read(starterPack("none"))).toEqual([expect.any(String), expect.any(String)]);
  });

  it("their rank in the newest week of creator rewards", async () => {
    const week = 7 * 86_400_000;
    const start = Math.floor(engine.context.clock.now() / week - 3) * week;
    const period = { period_start_ms: start, period_end_ms: start + week };
    await db.insertInto("network.creator_reward_periods").values(period).execute();
    const won = { score: 1, reward_cents: 5, wallet_address: null, username: null };
    await db
      .insertInto("network.creator_reward_winners")
      .values({ period_start_ms: start, fid: author, rank: 4, ...won })
      .execute();
    expect(await read(rewardRank)).toEqual([4, null]);
  });

  it("whether they have a primary address of either protocol", async () => {
    await db
      .insertInto("network.primary_addresses")
      .values({ fid: author, protocol: "solana", address: "So1" })
      .execute();
    expect(await read(primaryAddress)).toEqual([true, false]);
  });

  it("how they came by their names", async () => {
    await transfer(1, "alice", 0, author, 100);
    await transfer(2, "alice", author, stranger, 200);
    await transfer(3, "bob", 0, author, 300);
    expect(await read(nameHistory)).toEqual([
      { gained: [100, 300], heldSince: 300 },
      { gained: [200], heldSince: 200 },
    ]);
  });

  it("their names: as seen, else as the registry says, else none", async () => {
    await transfer(1, "alice", 0, author, 100);
    expect(await read(authorNames)).toEqual([["alice"], []]);
    await name("carol", stranger);
    expect(await read(authorNames)).toEqual([["alice"], ["carol"]]);
  });

  it("who of the channel blocks them", async () => {
    await member(3, 5);
    for (const blocker of [1, 3, 20]) {
      await db
        .insertInto("network.blocks")
        .values({ id: blocker, blocker_fid: blocker, blocked_fid: author, created_at: 1 })
        .execute();
    }
    expect(await read(blockers)).toEqual([
      { count: 2, missing: undefined },
      { count: 0, missing: undefined },
    ]);
  });

  it("says so when of many people only some were asked whether they do", async () => {
    for (let fid = 100; fid < 205; fid++) await member(fid, fid);
    expect(await read(blockers)).toMatchObject([
      { count: 0, missing: "only 100 of the channel's people were checked" },
      {},
    ]);
  });

  it("is not known without an author, nor when the network fails", async () => {
    const nobody = castCreated("gm", { authorFid: null });
    const needs: Need[] = [following, nameHistory, authorNames, primaryAddress, blockers, rewardRank];
    const [facts] = await loadFacts(engine.context, [{ occurrence: nobody, needs }]);
    for (const need of needs) expect(facts?.read(need)).toMatchObject({ why: "the author is not known" });
    const status = async () => Promise.reject(new AppError("network_unreachable", "it is down"));
    const channelFollows = { ...engine.context.network.channelFollows, status };
    engine.context = createRuleContext(
      { ...engine.context, network: { ...engine.context.network, channelFollows } },
      engine.context,
    );
    expect(await read(following)).toEqual(["it is down", "it is down"]);
  });
});

describe("names of the channel's people", () => {
  const holdersOf = async (group: Parameters<typeof channelNames>[0], like: string) => {
    const occurrence = castCreated("gm");
    const need = channelNames(group);
    const [facts] = await loadFacts(engine.context, [{ occurrence, needs: [need] }]);
    const fact = facts?.read(need);
    if (!fact?.known) return fact?.why;
    return [...lookAlikeKeys(like)].flatMap((key) => fact.value.holders.get(key) ?? [])[0];
  };

  it("are those of the owner, the moderators or the members, by their looks", async () => {
    await name("alice", 1);
    await transfer(1, "bob", 0, 2, 100);
    await name("carol", 3);
    await member(3, 5);
    expect(await holdersOf("owner", "a1ice")).toBe(1);
    expect(await holdersOf("moderators", "bob")).toBe(2);
    expect(await holdersOf("members", "caro1")).toBe(3);
    expect(await holdersOf("owner", "bob")).toBeUndefined();
  });
});
