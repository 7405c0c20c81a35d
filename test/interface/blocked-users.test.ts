import { beforeAll, describe, expect, it } from "vitest";
import { refused, success, useInterfaceNetwork } from "../support/interface-network.ts";

const network = await useInterfaceNetwork();

const block = (fid: number, blockFid: unknown) => network.as(fid, "POST /fc/blocked-users", { blockFid });
const unblock = (fid: number, unblockFid: unknown) =>
  network.as(fid, "DELETE /fc/blocked-users", { unblockFid });
const blocksOf = (blockerFid: number) => network.list("GET /fc/blocked-users", { blockerFid });

/** People of the test's own. */
async function two(): Promise<[number, number]> {
  const [one = 0, other = 0] = await network.newcomers(2);
  return [one, other];
}

describe("Block", () => {
  it("not blocked → blocked, listed with who and since when", async () => {
    const [blockerFid, blockedFid] = await two();
    expect(await block(blockerFid, blockedFid)).toEqual(success);
    expect(await blocksOf(blockerFid)).toEqual([{ blockerFid, blockedFid, createdAt: network.justNow() }]);
    expect(await blocksOf(blockedFid)).toEqual([]);
  });

  it("blocked → not blocked", async () => {
    await block(3, 4);
    expect(await unblock(3, 4)).toEqual(success);
    expect(await blocksOf(3)).toEqual([]);
  });

  it("repeated block and unblock succeed and change nothing, not even since when", async () => {
    const [blocker, blocked] = await two();
    await block(blocker, blocked);
    const blocks = await blocksOf(blocker);
    await network.pass(1);
    expect(await block(blocker, blocked)).toEqual(success);
    expect(await blocksOf(blocker)).toEqual(blocks);
    expect(await unblock(blocker, 7)).toEqual(success);
    expect(await blocksOf(blocker)).toEqual(blocks);
  });

  it("anybody may be blocked, with an account or without, but nobody blocks themselves", async () => {
    const [blocker] = await two();
    expect(await block(blocker, 999_999)).toEqual(success);
    expect(await block(blocker, blocker)).toEqual(refused(403, "not_permitted"));
    expect(await blocksOf(blocker)).toMatchObject([{ blockedFid: 999_999 }]);
  });

  it.each([
    ["no fid", undefined],
    ["a fid as text", "2"],
    ["0", 0],
    ["a fraction", 1.5],
  ])("refuses %s", async (_, fid) => {
    expect(await block(1, fid)).toEqual(refused(400, "invalid_request"));
    expect(await unblock(1, fid)).toEqual(refused(400, "invalid_request"));
  });

  it("needs a token", async () => {
    const refusal = refused(401, "invalid_auth_token");
    expect(await network.call("POST /fc/blocked-users", { blockFid: 2 })).toEqual(refusal);
    expect(await network.call("DELETE /fc/blocked-users", { unblockFid: 2 })).toEqual(refusal);
  });

  it("all blocks are listed, newest first, where no blocker is named", async () => {
    await network.pass(1);
    const [first, second] = await two();
    await block(first, 12);
    await network.pass(1);
    await block(second, 14);
    const blocks = await network.list("GET /fc/blocked-users");
    expect(blocks.slice(0, 2)).toMatchObject([{ blockerFid: second }, { blockerFid: first }]);
  });
});

describe("Casts that enter later", () => {
  const [blocker, blocked] = [21, 22];
  const address = (hash: string) => `https://castle.test/~/conversations/${hash}`;
  const say = async (fid: number, cast: object) => {
    const { body } = await network.operator("POST /operator/casts", { fid, text: "hey", ...cast });
    return network.castState((body as { result: { hash: string } }).result.hash);
  };
  let own: string;
  beforeAll(async () => {
    own = await network.cast({ fid: blocker, channelId: await network.channel() });
    await block(blocker, blocked);
  });

  it.each([
    ["a reply", () => ({ parentHash: own })],
    ["a mention", () => ({ mentions: [blocker] })],
    ["a quote", () => ({ embeds: [{ url: address(own) }] })],
  ])("%s by a blocked user is hidden, by anybody else is not", async (_, cast) => {
    expect(await say(blocked, cast())).toMatchObject({ hiddenOnEntry: true, hiddenByModeration: false });
    expect(await say(23, cast())).toMatchObject({ hiddenOnEntry: false });
  });

  it("whatever else a blocked user casts is not hidden", async () => {
    expect(await say(blocked, { mentions: [23] })).toMatchObject({ hiddenOnEntry: false });
  });

  it("holds for imported casts too", async () => {
    const hash = await network.cast({ fid: blocked, parentHash: own });
    expect(await network.castState(hash)).toMatchObject({ hiddenOnEntry: true });
  });

  it("no longer holds after the block is lifted", async () => {
    await block(24, 25);
    await unblock(24, 25);
    expect(await say(25, { mentions: [24] })).toMatchObject({ hiddenOnEntry: false });
  });
});
