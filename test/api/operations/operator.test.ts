import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messageEpoch } from "../../../src/contract/hub.ts";
import type { Tx } from "../../../src/database/database.ts";
import type { Operator } from "../../../src/contract/index.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";
import { channelUrl } from "../../support/seed.ts";

let net: TestNetwork;
beforeAll(async () => {
  net = await createTestNetwork();
});
afterAll(() => net.context.database.close());

const owner = 1;
const member = 3;
const stranger = 5;
beforeEach(async () => {
  await net.context.database.truncate();
  for (const fid of [owner, member, stranger]) await net.seed.account(fid);
  await net.seed.channel("memes", { owner, members: [member] });
});

const now = () => Math.floor(net.context.clock.now() / 1000);
const cast = async (input: Omit<Parameters<Operator["cast"]>[0], "text">) =>
  (await net.api.operator.cast({ text: "gm", ...input })).hash;
const readCast = (hash: string) => net.api.operator.readCast({ hash });
const ban = (banFid: number) => net.as(owner).channelBans.ban({ channelId: "memes", banFid });
const unban = (unbanFid: number) => net.as(owner).channelBans.unban({ channelId: "memes", unbanFid });
const restrict = async (fid: number) => {
  await ban(fid);
  await unban(fid);
};
const isHiddenOnEntry = async (hash: string) => (await readCast(hash)).hiddenOnEntry;
const lastMessage = async () => {
  const { events } = await net.public.hub.events({ reverse: true, page_size: 1 });
  return events[0]?.mergeMessageBody?.["message"] as { hash: string; data: Record<string, unknown> };
};

describe("cast", () => {
  it("into a channel carries the channel's url and becomes a hub event", async () => {
    const hash = await cast({
      fid: stranger,
      channelId: "memes",
      mentions: [1],
      embeds: [{ url: "https://a.test/" }],
    });
    expect(await readCast(hash)).toEqual({
      cast: {
        hash,
        fid: stranger,
        text: "gm",
        timestamp: now(),
        parentUrl: channelUrl("memes"),
        removed: false,
      },
      hiddenByModeration: false,
      hiddenByBan: false,
      hiddenOnEntry: false,
      belowFold: false,
      channelId: "memes",
    });
    expect(await lastMessage()).toEqual({
      hash,
      hashScheme: "HASH_SCHEME_BLAKE3",
      signature: "",
      signatureScheme: "SIGNATURE_SCHEME_NONE",
      signer: "0x",
      data: {
        type: "MESSAGE_TYPE_CAST_ADD",
        fid: stranger,
        timestamp: now() - messageEpoch,
        network: "FARCASTER_NETWORK_DEVNET",
        castAddBody: {
          text: "gm",
          mentions: [1],
          mentionsPositions: [0],
          embeds: [{ url: "https://a.test/" }],
          parentUrl: channelUrl("memes"),
        },
      },
    });
  });

  it("as a reply, and as a reply to that, is in the channel but carries the parent only", async () => {
    const root = await cast({ fid: owner, channelId: "memes" });
    const reply = await cast({ fid: member, parentHash: root });
    const deep = await cast({ fid: stranger, parentHash: reply, channelId: "memes" });
    expect(await readCast(deep)).toMatchObject({ channelId: "memes", cast: { parentHash: reply } });
    const { data } = await lastMessage();
    expect(data["castAddBody"]).toMatchObject({ parentCastId: { fid: member, hash: reply } });
    expect(data["castAddBody"]).not.toHaveProperty("parentUrl");
  });

  it("outside of channels is in none, and so are replies to it", async () => {
    const root = await cast({ fid: owner });
    expect(await readCast(await cast({ fid: member, parentHash: root }))).not.toHaveProperty("channelId");
  });

  it.each<[string, Omit<Parameters<Operator["cast"]>[0], "text">, string]>([
    ["a fid without account", { fid: 77 }, "not_found"],
    ["an unknown channel", { fid: owner, channelId: "nowhere" }, "not_found"],
    ["an unknown parent", { fid: owner, parentHash: `0x${"d".repeat(40)}` }, "not_found"],
    ["a time before 2021", { fid: owner, timestamp: messageEpoch - 1 }, "invalid_request"],
  ])("with %s is refused", async (_, input, code) => {
    await expect(cast(input)).rejects.toMatchObject({ code });
    expect((await net.public.hub.events({})).events).toEqual([]);
  });

  it.each(["a\0b", "half \ud83d"])("refuses text that cannot be stored: %j", async (text) => {
    await expect(net.api.operator.cast({ fid: owner, text })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("with a parent of another channel is refused", async () => {
    await net.seed.channel("art");
    const root = await cast({ fid: owner, channelId: "art" });
    await expect(cast({ fid: owner, channelId: "memes", parentHash: root })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});

describe("casts that enter later", () => {
  it("a reply by a banned user is hidden by the ban and shown again by the unban; his root cast is not", async () => {
    const root = await cast({ fid: owner, channelId: "memes" });
    await ban(stranger);
    const reply = await cast({ fid: stranger, parentHash: root });
    expect(await readCast(reply)).toMatchObject({ hiddenByBan: true, hiddenOnEntry: false });
    expect(await readCast(await cast({ fid: stranger, channelId: "memes" }))).toMatchObject({
      hiddenByBan: false,
    });
    await unban(stranger);
    expect(await readCast(reply)).toMatchObject({ hiddenByBan: false, belowFold: true });
  });

  it("a root cast by a non-member of a members-only channel is hidden, a member's and any reply are not", async () => {
    await net.seed.channel("club", { owner, members: [member], publicCasting: false });
    const root = await cast({ fid: member, channelId: "club" });
    expect(await isHiddenOnEntry(root)).toBe(false);
    expect(await isHiddenOnEntry(await cast({ fid: stranger, channelId: "club" }))).toBe(true);
    expect(await isHiddenOnEntry(await cast({ fid: stranger, parentHash: root }))).toBe(false);
  });

  it("replies of a restricted author are below the fold, in that channel only", async () => {
    const root = await cast({ fid: owner, channelId: "memes" });
    await restrict(stranger);
    expect(await readCast(await cast({ fid: stranger, parentHash: root }))).toMatchObject({
      belowFold: true,
    });
    expect(await readCast(await cast({ fid: stranger, channelId: "memes" }))).toMatchObject({
      belowFold: false,
    });
    await net.seed.channel("art");
    const other = await cast({ fid: owner, channelId: "art" });
    expect(await readCast(await cast({ fid: stranger, parentHash: other }))).toMatchObject({
      belowFold: false,
    });
  });
});

describe("removeCast", () => {
  it("becomes a hub event that names the cast in base64, once", async () => {
    const hash = await cast({ fid: member, channelId: "memes" });
    await net.api.operator.removeCast({ hash });
    expect((await readCast(hash)).cast.removed).toBe(true);
    const { data, hash: own } = await lastMessage();
    expect(own).not.toBe(hash);
    expect(data).toEqual({
      type: "MESSAGE_TYPE_CAST_REMOVE",
      fid: member,
      timestamp: now() - messageEpoch,
      network: "FARCASTER_NETWORK_DEVNET",
      castRemoveBody: { targetHash: Buffer.from(hash.slice(2), "hex").toString("base64") },
    });
    await expect(net.api.operator.removeCast({ hash })).rejects.toMatchObject({ code: "not_found" });
    expect((await net.public.hub.events({})).events).toHaveLength(2);
  });

  it("of one cast by many at once succeeds once", async () => {
    const hash = await cast({ fid: member });
    // Connections are open before the race, so that no removal has it to itself.
    await Promise.all(
      Array.from({ length: 8 }, () => net.context.database.transaction((tx) => lockNothing(tx))),
    );
    const removals = Array.from({ length: 8 }, () => net.api.operator.removeCast({ hash }));
    const results = await Promise.allSettled(removals);
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  });
});

const join = (fid: number) => net.api.operator.join({ channelId: "memes", fid });
const members = async () =>
  (await net.public.channelMembers.list({ channelId: "memes" })).result.members.map(({ fid }) => fid);

const lockNothing = (tx: Tx) => tx.selectFrom("network.stream_heads").selectAll().execute();

describe("join by link", () => {
  it("makes a member, once", async () => {
    await join(stranger);
    await join(stranger);
    expect(new Set(await members())).toEqual(new Set([owner, member, stranger]));
    expect((await net.public.channels.get({ channelId: "memes" })).channel.memberCount).toBe(3);
  });

  it("is refused for the restricted and the banned", async () => {
    await ban(stranger);
    await expect(join(stranger)).rejects.toMatchObject({ code: "banned_from_channel" });
    await unban(stranger);
    await expect(join(stranger)).rejects.toMatchObject({ code: "not_permitted" });
    expect(await members()).not.toContain(stranger);
  });

  it("needs an account and a channel", async () => {
    await expect(join(77)).rejects.toMatchObject({ code: "not_found" });
    await expect(net.api.operator.join({ channelId: "nowhere", fid: owner })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("deleteChannel", () => {
  it("leaves not_found everywhere, and its casts in no channel", async () => {
    const hash = await cast({ fid: member, channelId: "memes" });
    await net.as(owner).moderatedCasts.moderate({ castHash: hash, action: "hide" });
    await net.seed.follow(member, "memes");
    await net.api.operator.deleteChannel({ id: "memes" });
    const channelId = "memes";
    const calls = [
      net.public.channels.get({ channelId }),
      net.public.channels.followers({ channelId }),
      net.public.channelMembers.list({ channelId }),
      net.public.channelBans.list({ channelId }),
      net.public.moderatedCasts.list({ channelId }),
      net.as(owner).pinnedCasts.unpin({ channelId }),
      net.api.operator.notifications({ channelId }),
      net.api.operator.deleteChannel({ id: channelId }),
    ];
    const results = await Promise.allSettled(calls);
    for (const result of results) expect(result).toMatchObject({ reason: { code: "not_found" } });
    expect((await net.public.moderatedCasts.list({})).result.moderationActions).toEqual([]);
    expect((await net.public.channelFollows.ofUser({ fid: member })).result.channels).toEqual([]);
    expect(await readCast(hash)).not.toHaveProperty("channelId");
    await expect(
      net.as(owner).moderatedCasts.moderate({ castHash: hash, action: "unhide" }),
    ).rejects.toMatchObject({
      code: "cast_not_in_channel",
    });
  });
});
