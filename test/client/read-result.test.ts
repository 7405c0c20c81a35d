import { describe, expect, it } from "vitest";
import { collectLog } from "../support/log.ts";
import { createFarClient, useFarNetwork } from "./far-client.ts";

const { far, network } = await useFarNetwork();

describe("answers of the client API", () => {
  it.each([1_700_000_000, 1_700_000_000.5, 1_700_000_000_999])(
    "have times in seconds: %d",
    async (bannedAt) => {
      far.answer([200, { result: { bannedUsers: [{ fid: 3, channelId: "memes", bannedAt }] } }]);
      const { result } = await network.channelBans.list({ channelId: "memes" });
      expect(result.bannedUsers).toEqual([{ fid: 3, channelId: "memes", bannedAt: 1_700_000_000 }]);
    },
  );

  it("lose a row that is of another make, not the page, and say so once", async () => {
    const invite = (role: string) => ({
      channelId: "memes",
      invitedFid: 3,
      invitedAt: 1,
      inviterFid: 1,
      role,
    });
    const { log, lines } = collectLog();
    const logged = createFarClient(far.url, { log });
    far.answer([200, { result: { invites: [invite("member"), invite("steward"), invite("moderator")] } }]);
    for (let look = 0; look < 2; look += 1) {
      const { result } = await logged.channelInvites.list({ channelId: "memes" });
      expect(result.invites.map(({ role }) => role)).toEqual(["member", "moderator"]);
    }
    expect(lines.filter(({ level }) => level === 40)).toMatchObject([
      { path: "/fc/channel-invites", list: "invites", reason: expect.stringContaining("role") },
    ]);
    far.answer([200, { result: { invites: [invite("steward")] } }]);
    await expect(logged.channelInvites.list({ channelId: "memes" })).rejects.toMatchObject({
      code: "network_failed",
    });
  });

  describe.each(["creatorRewards", "developerRewards"] as const)("of %s", (group) => {
    const winner = { fid: 3, score: 1.5, rank: 1, rewardCents: 100, domain: "a.test", frameName: "A" };
    const period = { periodStartTimestamp: 1000, periodEndTimestamp: 2000, winners: [winner] };
    it.each([
      ["within history", { history: period }],
      ["flat", period],
    ])("are read %s", async (_, result) => {
      far.answer([200, { result, next: { cursor: "abc" } }]);
      const page = await network[group].winnerHistory({});
      expect(page.next).toEqual({ cursor: "abc" });
      const read = "history" in page.result ? page.result.history : page.result;
      expect(read).toMatchObject({ periodStartTimestamp: 1000, winners: [{ fid: 3, rewardCents: 100 }] });
    });
  });

  it.each(["pending", "approved", "completed", "denied", "failed"])(
    "may say that a key request is %s, and more than is documented",
    async (state) => {
      const request = { token: "0x" + "ab".repeat(12), deeplinkUrl: "farcaster://x", key: "0x12", state };
      far.answer([200, { result: { signedKeyRequest: { ...request, isSponsored: true, userFid: null } } }]);
      const { signedKeyRequest } = await network.signedKeyRequests.get({ token: request.token });
      expect(signedKeyRequest).toEqual({ ...request, userFid: undefined });
    },
  );

  it("of a new key request are asked on the path that live services serve", async () => {
    far.answer([
      200,
      { result: { signedKeyRequest: { token: "t", deeplinkUrl: "d", key: "k", state: "pending" } } },
    ]);
    const key = `0x${"5a".repeat(32)}`;
    await network.signedKeyRequests.create({
      key,
      requestFid: 7,
      deadline: 2_000_000_000,
      signature: "0x12",
    });
    expect(far.requests[0]?.path).toBe("/v2/signed-key-requests");
  });

  it.each([{ result: { success: true } }, { success: true }])(
    "are read wrapped or flat: %j",
    async (body) => {
      far.answer([200, body]);
      await expect(network.channelBans.ban({ channelId: "memes", banFid: 7 })).resolves.toEqual({
        success: true,
      });
    },
  );

  it("are not treated as success if they report a failure, but the call may have happened", async () => {
    far.answer([200, { result: { success: false } }]);
    await expect(network.channelBans.ban({ channelId: "memes", banFid: 7 })).rejects.toMatchObject({
      code: "network_failed",
      mayHaveHappened: true,
    });
  });

  it("may leave out every field of a channel but id, url and name, or give null", async () => {
    far.answer([
      200,
      { result: { channel: { id: "memes", url: "u", name: "n", description: null, leadFid: null } } },
    ]);
    const { channel } = await network.channels.get({ channelId: "memes" });
    expect(channel).toEqual({
      id: "memes",
      url: "u",
      name: "n",
      descriptionMentions: [],
      descriptionMentionsPositions: [],
      imageUrl: "",
      moderatorFids: [],
      createdAt: 0,
      followerCount: 0,
      memberCount: 0,
      publicCasting: true,
    });
  });

  it("keep what a channel says of itself and drop fields that are not ours", async () => {
    const hash = `0x${"AB".repeat(32)}`;
    const said = {
      id: "m",
      url: "u",
      name: "n",
      followerCount: 5,
      publicCasting: false,
      pinnedCastHash: hash,
    };
    far.answer([200, { result: { channels: [{ ...said, headerStyle: "x" }] } }]);
    const { channels } = await network.channels.all({});
    expect(channels).toMatchObject([{ ...said, pinnedCastHash: hash.toLowerCase() }]);
    expect(channels[0]).not.toHaveProperty("headerStyle");
  });

  it("may carry cast hashes of 40 to 64 digits, no fewer and no more", async () => {
    const record = { channelId: "m", action: "hide", moderatedAt: 5 };
    for (const digits of [40, 64]) {
      far.answer([
        200,
        { result: { moderationActions: [{ ...record, castHash: `0x${"a".repeat(digits)}` }] } },
      ]);
      const page = await network.moderatedCasts.list({});
      expect(page.result.moderationActions).toEqual([{ ...record, castHash: `0x${"a".repeat(digits)}` }]);
    }
    for (const digits of [39, 65]) {
      far.answer([
        200,
        { result: { moderationActions: [{ ...record, castHash: `0x${"a".repeat(digits)}` }] } },
      ]);
      await expect(network.moderatedCasts.list({})).rejects.toMatchObject({ code: "network_failed" });
    }
  });

  it.each([undefined, null, {}, { cursor: "" }, { cursor: null }])("end where next is %j", async (next) => {
    far.answer([200, { result: { members: [] }, next }]);
    await expect(network.channelMembers.list({ channelId: "m" })).resolves.toEqual({
      result: { members: [] },
    });
  });

  it.each(["<html>busy</html>", "[]", "", { result: { users: [] } }])(
    "that cannot be read are no empty listing: %j",
    async (body) => {
      far.answer([200, body]);
      await expect(network.channelMembers.list({ channelId: "m" })).rejects.toMatchObject({
        code: "network_failed",
        status: 200,
      });
    },
  );
});

describe("what is sent", () => {
  it("is the declared fields that are set, a limit only when given", async () => {
    far.answer([200, { result: { bannedUsers: [] } }]);
    const wider = { fid: 7, channelId: undefined, colour: "red" };
    await network.channelBans.list(wider);
    await network.channelBans.list({ channelId: "memes", limit: 5, cursor: "c/=" });
    expect(far.requests.map(({ method, path, query }) => ({ method, path, query }))).toEqual([
      { method: "GET", path: "/fc/channel-bans", query: { fid: "7" } },
      { method: "GET", path: "/fc/channel-bans", query: { channelId: "memes", limit: "5", cursor: "c/=" } },
    ]);
    expect(far.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it("is a JSON body with the token where the endpoint needs one", async () => {
    far.answer([200, { success: true }]);
    await network.channelBans.unban({ channelId: "memes", unbanFid: 7 });
    expect(far.requests).toMatchObject([
      {
        method: "DELETE",
        body: { channelId: "memes", unbanFid: 7 },
        headers: { "content-type": "application/json" },
      },
    ]);
    expect(far.requests[0]?.headers.authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
  });
});

describe("answers of the name registry", () => {
  const transfer = {
    id: 5,
    timestamp: 1,
    username: "alice",
    owner: "0xAA",
    from: 0,
    to: 1,
    user_signature: "0x1",
    server_signature: "0x",
  };

  it.each([{ transfers: [transfer] }, { transfer }, { transfers: [transfer], transfer }])(
    "give the current transfer alone, in a list, or both",
    async (body) => {
      far.answer([200, body]);
      await expect(network.transfers.current({ name: "alice" })).resolves.toEqual({
        transfer,
        transfers: [transfer],
      });
    },
  );

  it("do not find it when the list is empty", async () => {
    far.answer([200, { transfers: [] }]);
    await expect(network.transfers.current({ name: "alice" })).rejects.toMatchObject({ code: "not_found" });
  });

  it.each([{ transfer }, transfer])("give a new transfer wrapped or flat", async (body) => {
    far.answer([200, body]);
    const owner = `0x${"1".repeat(40)}`;
    const claim = { name: "alice", from: 0, to: 1, fid: 1, owner, timestamp: 1, signature: "0x00" };
    await expect(network.transfers.create(claim)).resolves.toEqual({ transfer });
  });
});
