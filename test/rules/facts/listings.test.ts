import { describe, expect, it } from "vitest";
import type { Network } from "../../../src/contract/index.ts";
import { AppError } from "../../../src/errors.ts";
import { createRuleContext } from "../../../src/rules/context.ts";
import type { Need } from "../../../src/rules/facts/fact.ts";
import { blockers } from "../../../src/rules/conditions/author-blocked-by.ts";
import { nameHistory } from "../../../src/rules/conditions/author-name-history.ts";
import { primaryAddress } from "../../../src/rules/conditions/author-has-primary-address.ts";
import { rewardRank } from "../../../src/rules/conditions/author-reward-rank.ts";
import { starterPack } from "../../../src/rules/conditions/author-in-starter-pack.ts";
import { author, castCreated, loadFacts } from "../../support/rules.ts";
import { useRuleEngine } from "../../support/rule-engine.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2] });
const { database } = engine.network.context;

/** What is known of users on a network that answers some calls otherwise; a context remembers nothing of another. */
async function read<T>(need: Need<T>, change: Partial<Network>, authors: (number | null)[] = [author]) {
  const context = createRuleContext(
    { ...engine.context, network: { ...engine.context.network, ...change } },
    engine.context,
  );
  const questions = authors.map((authorFid) => ({
    occurrence: castCreated("gm", { authorFid }),
    needs: [need],
  }));
  const facts = await loadFacts(context, questions);
  return facts.map((known) => {
    const fact = known.read(need);
    return fact.known ? fact.value : fact.why;
  });
}

const down = () => Promise.reject(new AppError("network_unreachable", "it is down"));

describe("a starter pack", () => {
  /** A pack of so many pages; the author is on the last one. */
  const packOf = (pages: number, cursors: (string | undefined)[] = []) => {
    const list: Network["starterPackMembers"]["list"] = async ({ cursor }) => {
      cursors.push(cursor);
      const page = Number(cursor ?? 1);
      const members = [{ fid: page === pages ? author : 1000 + page, memberAt: 1 }];
      return { result: { members }, ...(page < pages && { next: { cursor: String(page + 1) } }) };
    };
    return { starterPackMembers: { list } };
  };

  it("is read to its end", async () => {
    const cursors: (string | undefined)[] = [];
    expect(await read(starterPack("art"), packOf(3, cursors))).toEqual([true]);
    expect(cursors).toEqual([undefined, "2", "3"]);
    expect(await read(starterPack("art"), packOf(20), [author, 8])).toEqual([true, false]);
  });

  it("that is too large says who was seen in it, and of others nothing", async () => {
    const cursors: (string | undefined)[] = [];
    expect(await read(starterPack("art"), packOf(21, cursors), [1001, author])).toEqual([
      true,
      "the pack is too large to read",
    ]);
    expect(cursors).toHaveLength(20);
  });

  it("has no place for an author who is not known", async () => {
    expect(await read(starterPack("art"), packOf(1), [null])).toEqual(["the author is not known"]);
  });

  it("is one among others", async () => {
    const list: Network["starterPackMembers"]["list"] = async ({ id }) => ({
      result: { members: id === "art" ? [{ fid: author, memberAt: 1 }] : [] },
    });
    const context = createRuleContext(
      { ...engine.context, network: { ...engine.context.network, starterPackMembers: { list } } },
      engine.context,
    );
    const needs = [starterPack("art"), starterPack("music")];
    const [facts] = await loadFacts(context, [{ occurrence: castCreated("gm"), needs }]);
    expect(needs.map((need) => facts?.read(need))).toMatchObject([{ value: true }, { value: false }]);
  });
});

describe("names of long ago", () => {
  const transfer = { username: "x", owner: "0x", user_signature: "0x", server_signature: "0x" };
  /** A registry in which the author gains a name at each even second and loses it at each odd one. */
  const registryOf = (count: number, asked: unknown[] = []) => {
    const all = Array.from({ length: count }, (_, index) => {
      const [from, to] = index % 2 === 0 ? [0, author] : [author, 0];
      return { ...transfer, id: index + 1, timestamp: index, from, to };
    });
    const list: Network["transfers"]["list"] = async ({ from_id }) => {
      asked.push(from_id);
      return { transfers: all.filter(({ id }) => id > Number(from_id)).slice(0, 100) };
    };
    return { transfers: { ...engine.context.network.transfers, list } };
  };
  const even = (count: number) => Array.from({ length: count }, (_, index) => 2 * index);

  it.each([
    [99, 50, 98, [0]],
    [100, 50, null, [0, 100]],
    [251, 126, 250, [0, 100, 200]],
    [900, 250, null, [0, 100, 200, 300, 400]],
  ])("of %i transfers are read page by page, five at most", async (count, gained, heldSince, pages) => {
    const asked: unknown[] = [];
    expect(await read(nameHistory, registryOf(count, asked))).toEqual([{ gained: even(gained), heldSince }]);
    expect(asked).toEqual(pages);
  });
});

describe("who blocks the author", () => {
  const block = (blockerFid: number, blockedFid: number) => ({ blockerFid, blockedFid, createdAt: 1 });
  const blockedBy = (list: Network["blockedUsers"]["list"]) => ({
    blockedUsers: { ...engine.context.network.blockedUsers, list },
  });

  it("is found on any page of somebody's blocks", async () => {
    const list: Network["blockedUsers"]["list"] = async ({ blockerFid, cursor }) =>
      cursor === undefined
        ? { result: { blockedUsers: [block(Number(blockerFid), 50)] }, next: { cursor: "2" } }
        : { result: { blockedUsers: [block(Number(blockerFid), author)] } };
    expect(await read(blockers, blockedBy(list))).toEqual([{ count: 2, missing: undefined }]);
  });

  it("is as far as people's blocks could be read, and says why not all", async () => {
    const list: Network["blockedUsers"]["list"] = ({ blockerFid }) =>
      blockerFid === 1 ? down() : Promise.resolve({ result: { blockedUsers: [block(2, author)] } });
    expect(await read(blockers, blockedBy(list))).toEqual([{ count: 1, missing: "it is down" }]);
  });

  it("is not known where nobody says who runs the channel", async () => {
    const channels = { ...engine.context.network.channels, get: down };
    expect(await read(blockers, { channels })).toEqual(["it is down"]);
  });

  it("is asked of the owner, the moderators and the newest members, a hundred people in all", async () => {
    const members = Array.from({ length: 99 }, (_, index) => ({
      channel_id: "memes",
      listing: "members" as const,
      role: null,
      inviter_fid: null,
      fid: 100 + index,
      at: index,
    }));
    await database.query.insertInto("castellan.listing_entries").values(members).execute();
    const asked: unknown[] = [];
    const list: Network["blockedUsers"]["list"] = async ({ blockerFid }) => {
      asked.push(blockerFid);
      return { result: { blockedUsers: [] } };
    };
    const missing = "only 100 of the channel's people were checked";
    expect(await read(blockers, blockedBy(list))).toEqual([{ count: 0, missing }]);
    expect([asked.length, asked[0], asked[1], asked[2], asked.includes(100)]).toEqual([
      100,
      1,
      2,
      198,
      false,
    ]);
    asked.length = 0;
    await database.query.deleteFrom("castellan.listing_entries").where("fid", "=", 100).execute();
    expect(await read(blockers, blockedBy(list))).toEqual([{ count: 0, missing: undefined }]);
    expect(asked).toHaveLength(100);
  });

  it("is asked of each channel's own people", async () => {
    await engine.network.seed.channel("art", { owner: 3 });
    const list: Network["blockedUsers"]["list"] = async ({ blockerFid }) => ({
      result: { blockedUsers: blockerFid === 3 ? [block(3, author)] : [] },
    });
    const network = { ...engine.context.network, ...blockedBy(list) };
    const context = createRuleContext({ ...engine.context, network }, engine.context);
    const questions = ["memes", "art"].map((channelId) => ({
      occurrence: castCreated("gm", { channelId }),
      needs: [blockers],
    }));
    const found = (await loadFacts(context, questions)).map((known) => known.read(blockers));
    expect(found).toMatchObject([{ value: { count: 0 } }, { value: { count: 1 } }]);
  });

  it("leaves out an owner whom the channel does not have", async () => {
    const { get } = engine.context.network.channels;
    const ownerless: typeof get = async (...given) => {
      const { channel } = await get(...given);
      return { channel: { ...channel, leadFid: undefined } };
    };
    const asked: unknown[] = [];
    const list: Network["blockedUsers"]["list"] = async ({ blockerFid }) => {
      asked.push(blockerFid);
      return { result: { blockedUsers: [] } };
    };
    const channels = { ...engine.context.network.channels, get: ownerless };
    expect(await read(blockers, { channels, ...blockedBy(list) })).toMatchObject([{ count: 0 }]);
    expect(asked).toEqual([2]);
  });
});

describe("creator rewards", () => {
  it("are those of the newest week, on any page", async () => {
    const winner = { score: 1, rewardCents: 1 };
    const winnerHistory: Network["creatorRewards"]["winnerHistory"] = async ({ periodsAgo, cursor }) => {
      const fid = Number(periodsAgo) === 0 ? author : 50;
      const winners = cursor === undefined ? [{ ...winner, fid: 8, rank: 1 }] : [{ ...winner, fid, rank: 2 }];
      const history = { periodStartTimestamp: 0, periodEndTimestamp: 1, winners };
      return { result: { history }, ...(cursor === undefined && { next: { cursor: "2" } }) };
    };
    expect(await read(rewardRank, { creatorRewards: { winnerHistory } }, [author, 8, 9])).toEqual([
      2,
      1,
      null,
    ]);
  });

  it("are not known while they cannot be read", async () => {
    const creatorRewards = { winnerHistory: down };
    expect(await read(rewardRank, { creatorRewards }, [author, null])).toEqual([
      "it is down",
      "the author is not known",
    ]);
  });
});

describe("primary addresses", () => {
  it("are asked for by the hundred, once for each author", async () => {
    const asked: number[][] = [];
    const list: Network["primaryAddresses"]["list"] = async ({ fids }) => {
      const some = fids.split(",").map(Number);
      asked.push(some);
      return { addresses: some.map((fid) => ({ fid, success: fid % 2 === 0 })) };
    };
    const primaryAddresses = { ...engine.context.network.primaryAddresses, list };
    const authors = Array.from({ length: 101 }, (_, index) => 1000 + index);
    const answers = await read(primaryAddress, { primaryAddresses }, [...authors, null, 1000]);
    const last = ["the author is not known", true];
    expect(answers).toEqual([...authors.map((fid) => fid % 2 === 0), ...last]);
    const protocols = 2;
    expect(asked.map((fids) => fids.length)).toEqual(
      [100, 1].flatMap((size) => Array.from({ length: protocols }, () => size)),
    );
  });

  it("are not asked for where no author is known", async () => {
    let calls = 0;
    const list = () => {
      calls += 1;
      return down();
    };
    const primaryAddresses = { ...engine.context.network.primaryAddresses, list };
    expect(await read(primaryAddress, { primaryAddresses }, [null])).toEqual(["the author is not known"]);
    expect(calls).toBe(0);
    expect(await read(primaryAddress, { primaryAddresses })).toEqual(["it is down"]);
  });
});
