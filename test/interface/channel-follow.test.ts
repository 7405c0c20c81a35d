import { describe, expect, it } from "vitest";
import {
  founded,
  people,
  range,
  refused,
  resultOf,
  success,
  useInterfaceNetwork,
} from "../support/interface-network.ts";

const { owner, moderator, member, follower, stranger } = people;

const network = await useInterfaceNetwork();

const follow = (fid: number, channelId: string) => network.as(fid, "POST /fc/channel-follows", { channelId });
const unfollow = (fid: number, channelId: string) =>
  network.as(fid, "DELETE /fc/channel-follows", { channelId });
const status = (fid: number, channelId: string) => network.call("GET /v1/user-channel", { fid, channelId });
const followers = (channelId: string) => network.list("GET /v1/channel-followers", { channelId });
const count = async (channelId: string) =>
  resultOf(await network.call("GET /v1/channel", { channelId }))["channel"];

const notFollowing = { status: 200, body: { result: { following: false } } };

describe("Follow", () => {
  it("row 1: not following → following", async () => {
    const channelId = await network.channel({ followers: [] });
    expect(await status(stranger, channelId)).toEqual(notFollowing);
    expect(await follow(stranger, channelId)).toEqual(success);
    const followedAt = network.justNow();
    expect(await status(stranger, channelId)).toEqual({
      status: 200,
      body: { result: { following: true, followedAt } },
    });
    expect(await followers(channelId)).toEqual([{ fid: stranger, followedAt }]);
    expect(await count(channelId)).toMatchObject({ followerCount: 1 });
  });

  it("row 2: following → not following", async () => {
    const channelId = await network.channel();
    expect(await unfollow(follower, channelId)).toEqual(success);
    expect(await status(follower, channelId)).toEqual(notFollowing);
    expect(await followers(channelId)).toEqual([]);
    expect(await count(channelId)).toMatchObject({ followerCount: 0 });
  });

  it("repeated: success, unchanged, followedAt too", async () => {
    const channelId = await network.channel();
    expect(await follow(follower, channelId)).toEqual(success);
    expect(await unfollow(stranger, channelId)).toEqual(success);
    expect(await followers(channelId)).toEqual([{ fid: follower, followedAt: founded }]);
    expect(await count(channelId)).toMatchObject({ followerCount: 1 });
  });

  it("following anew counts from the new follow", async () => {
    const channelId = await network.channel();
    await unfollow(follower, channelId);
    await follow(follower, channelId);
    expect(await followers(channelId)).toEqual([{ fid: follower, followedAt: network.justNow() }]);
  });

  it("twenty follows and unfollows at once leave the count right", async () => {
    const channelId = await network.channel({ followers: range(20, 24) });
    await Promise.all([
      ...[...range(10, 15), ...range(10, 15)].map((fid) => follow(fid, channelId)),
      ...[...range(20, 23), ...range(20, 23)].map((fid) => unfollow(fid, channelId)),
    ]);
    const fids = (await followers(channelId)).map(({ fid }) => fid);
    expect(fids.toSorted((a, b) => a - b)).toEqual([...range(10, 15), 24]);
    expect(await count(channelId)).toMatchObject({ followerCount: 7 });
  });

  it("is no role: neither owner, moderator nor member follows by that", async () => {
    const channelId = await network.channel({ followers: [] });
    for (const fid of [owner, moderator, member]) {
      expect(await status(fid, channelId)).toEqual(notFollowing);
    }
    expect(await unfollow(member, channelId)).toEqual(success);
    expect((await network.state(channelId)).members).toEqual([1, 2, 3]);
  });

  it("of an unknown channel is 404", async () => {
    expect(await follow(stranger, "nowhere")).toEqual(refused(404, "not_found"));
    expect(await unfollow(stranger, "nowhere")).toEqual(refused(404, "not_found"));
    expect(await status(stranger, "nowhere")).toEqual(refused(404, "not_found"));
  });
});

describe("GET /v1/user-channel", () => {
  it("needs no token, and knows nothing of an unknown fid", async () => {
    const channelId = await network.channel();
    expect(await status(999_999, channelId)).toEqual(notFollowing);
  });

  it.each([{}, { fid: 4 }, { channelId: "nowhere" }, { fid: "four", channelId: "nowhere" }])(
    "of %j is malformed",
    async (query) => {
      expect(await network.call("GET /v1/user-channel", query)).toEqual(refused(400, "invalid_request"));
    },
  );
});

describe("GET /v1/user-following-channels", () => {
  it("gives whole channels with followedAt", async () => {
    const channelId = await network.channel({ followers: [30], description: "All about it" });
    const [entry] = await network.list("GET /v1/user-following-channels", { fid: 30 });
    const { body } = await network.call("GET /v1/channel", { channelId });
    expect(body).toMatchObject({ result: { channel: { description: "All about it" } } });
    const channel = await count(channelId);
    expect(entry).toEqual({ ...Object(channel), moderatorFid: moderator, followedAt: founded });
  });

  it("has moderatorFid only when there is a moderator", async () => {
    await network.channel({ followers: [31], moderatorFids: [] });
    const [entry] = await network.list("GET /v1/user-following-channels", { fid: 31 });
    expect(entry).toMatchObject({ moderatorFids: [], followedAt: founded });
    expect(entry).not.toHaveProperty("moderatorFid");
  });

  it("of an unknown fid is empty", async () => {
    expect(await network.call("GET /v1/user-following-channels", { fid: 999_999 })).toEqual({
      status: 200,
      body: { result: { channels: [] } },
    });
  });
});
