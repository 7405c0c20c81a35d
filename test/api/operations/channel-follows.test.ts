import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { seconds } from "../../../src/clock.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

const [owner, moderator, user] = [1, 2, 7];
let network: TestNetwork;
let channelId: string;
let channels = 0;

beforeAll(async () => {
  network = await createTestNetwork();
});
afterAll(() => network.context.database.close());
beforeEach(async () => {
  channelId = `memes-${++channels}`;
  await network.seed.channel(channelId, { owner, moderators: [moderator] });
});

async function followerCount() {
  return (await network.public.channels.get({ channelId })).channel.followerCount;
}

describe("a follow", () => {
  it("starts, ends and is counted", async () => {
    expect(await network.as(user).channelFollows.follow({ channelId })).toEqual({ success: true });
    const followedAt = seconds(network.context.clock);
    expect(await network.public.channelFollows.status({ fid: user, channelId })).toEqual({
      following: true,
      followedAt,
    });
    expect((await network.public.channels.followers({ channelId })).result.users).toEqual([
      { fid: user, followedAt },
    ]);
    expect(await followerCount()).toBe(1);

    expect(await network.as(user).channelFollows.unfollow({ channelId })).toEqual({ success: true });
    expect(await network.public.channelFollows.status({ fid: user, channelId })).toEqual({
      following: false,
    });
    expect(await followerCount()).toBe(0);
  });

  it("repeated keeps its first time and is counted once, either way", async () => {
    await network.as(user).channelFollows.follow({ channelId });
    const before = await network.public.channelFollows.status({ fid: user, channelId });
    network.context.clock.advance(60);
    expect(await network.as(user).channelFollows.follow({ channelId })).toEqual({ success: true });
    expect(await network.public.channelFollows.status({ fid: user, channelId })).toEqual(before);
    expect(await followerCount()).toBe(1);
    await network.as(user).channelFollows.unfollow({ channelId });
    expect(await network.as(user).channelFollows.unfollow({ channelId })).toEqual({ success: true });
    expect(await followerCount()).toBe(0);
  });

  it("by many at once counts each", async () => {
    const fans = Array.from({ length: 20 }, (_, index) => 100 + (index % 10));
    await Promise.all(fans.map((fid) => network.as(fid).channelFollows.follow({ channelId })));
    expect(await followerCount()).toBe(10);
    await Promise.all(fans.map((fid) => network.as(fid).channelFollows.unfollow({ channelId })));
    expect(await followerCount()).toBe(0);
  });

  it("of an unknown channel is not found, whichever way it is asked", async () => {
    const unknown = { channelId: "nowhere" };
    const missing = { code: "not_found" };
    await expect(network.as(user).channelFollows.follow(unknown)).rejects.toMatchObject(missing);
    await expect(network.as(user).channelFollows.unfollow(unknown)).rejects.toMatchObject(missing);
    await expect(network.public.channelFollows.status({ fid: user, ...unknown })).rejects.toMatchObject(
      missing,
    );
    await expect(network.public.channels.followers(unknown)).rejects.toMatchObject(missing);
  });

  it("needs a caller", async () => {
    await expect(network.public.channelFollows.follow({ channelId })).rejects.toMatchObject({
      code: "invalid_auth_token",
    });
  });
});

describe("the channels that a user follows", () => {
  it("are channel objects, newest follow first, with a moderator where there is one", async () => {
    await network.seed.channel("old", { owner });
    await network.as(50).channelFollows.follow({ channelId: "old" });
    network.context.clock.advance(10);
    await network.as(50).channelFollows.follow({ channelId });
    const { result, next } = await network.public.channelFollows.ofUser({ fid: 50 });
    const now = seconds(network.context.clock);
    const { channel } = await network.public.channels.get({ channelId });
    expect(result.channels).toEqual([
      { ...channel, moderatorFid: moderator, followedAt: now },
      { ...(await network.public.channels.get({ channelId: "old" })).channel, followedAt: now - 10 },
    ]);
    expect(next).toBeUndefined();
  });

  it("of an unknown user are none", async () => {
    expect(await network.public.channelFollows.ofUser({ fid: 424242 })).toEqual({ result: { channels: [] } });
  });
});
