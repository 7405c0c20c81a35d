import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

let net: TestNetwork;
beforeAll(async () => {
  net = await createTestNetwork();
});
afterAll(() => net.context.database.close());

const owner = 1;
const moderator = 2;
let cast: string;
let other: string;
beforeEach(async () => {
  await net.context.database.truncate();
  await net.seed.channel("memes", { owner, moderators: [moderator], members: [3] });
  await net.seed.follow(8, "memes");
  await net.seed.follow(9, "memes");
  cast = await net.seed.cast({ fid: 5, channelId: "memes" });
  other = await net.seed.cast({ fid: 5, channelId: "memes" });
});

const pin = (castHash: string, notifyChannelFollowers?: boolean, fid = owner) =>
  net.as(fid).pinnedCasts.pin({ castHash, notifyChannelFollowers });
const unpin = (input: { castHash?: string; channelId?: string }, fid = owner) =>
  net.as(fid).pinnedCasts.unpin(input);
const pinned = async () => (await net.public.channels.get({ channelId: "memes" })).channel.pinnedCastHash;
const announcements = async () =>
  (await net.api.operator.notifications({ channelId: "memes" })).notifications;

describe("pinned cast of a channel", () => {
  it.each([owner, moderator])("no pin: PUT by owner or moderator (%i) pins the cast", async (fid) => {
    expect(await pin(cast, undefined, fid)).toEqual({ success: true });
    expect(await pinned()).toBe(cast);
    expect(await announcements()).toEqual([]);
  });

  it("another pin: PUT replaces it", async () => {
    await pin(other);
    await pin(cast);
    expect(await pinned()).toBe(cast);
  });

  it("notifyChannelFollowers announces to everybody who follows now", async () => {
    await pin(cast, true);
    await net.seed.follow(10, "memes");
    net.context.clock.advance(1);
    await pin(other, true);
    const at = Math.floor(net.context.clock.now() / 1000);
    expect(await announcements()).toEqual([
      { channelId: "memes", castHash: other, recipients: 3, at },
      { channelId: "memes", castHash: cast, recipients: 2, at: at - 1 },
    ]);
  });

  it("the same pin again, with notify, succeeds and announces nothing", async () => {
    await pin(cast);
    expect(await pin(cast, true)).toEqual({ success: true });
    expect([await pinned(), await announcements()]).toEqual([cast, []]);
  });

  it("DELETE with the pinned cast unpins; announcements stay", async () => {
    await pin(cast, true);
    await unpin({ castHash: cast }, moderator);
    expect(await pinned()).toBeUndefined();
    expect(await announcements()).toHaveLength(1);
  });

  it("DELETE with a cast that is not the pinned one succeeds and changes nothing", async () => {
    await pin(cast);
    expect(await unpin({ castHash: other })).toEqual({ success: true });
    expect(await pinned()).toBe(cast);
  });

  it("DELETE with the channel unpins whatever is pinned, also nothing", async () => {
    await pin(cast);
    await unpin({ channelId: "memes" });
    expect(await pinned()).toBeUndefined();
    expect(await unpin({ channelId: "memes" })).toEqual({ success: true });
  });

  it("DELETE needs exactly one of cast and channel", async () => {
    for (const input of [{}, { castHash: cast, channelId: "memes" }]) {
      await expect(unpin(input)).rejects.toMatchObject({ code: "invalid_request" });
    }
  });

  it.each([3, 5, 8])("is nobody else's (%i) to change", async (fid) => {
    await pin(cast);
    await expect(pin(other, true, fid)).rejects.toMatchObject({ code: "not_permitted" });
    await expect(unpin({ castHash: cast }, fid)).rejects.toMatchObject({ code: "not_permitted" });
    await expect(unpin({ channelId: "memes" }, fid)).rejects.toMatchObject({ code: "not_permitted" });
    expect([await pinned(), await announcements()]).toEqual([cast, []]);
  });

  it("ends when the cast is removed, after which it cannot be pinned", async () => {
    await pin(cast, true);
    await net.api.operator.removeCast({ hash: cast });
    expect(await pinned()).toBeUndefined();
    expect(await announcements()).toHaveLength(1);
    await expect(pin(cast)).rejects.toMatchObject({ code: "not_found" });
  });

  it("stays when another cast is removed", async () => {
    await pin(cast);
    await net.api.operator.removeCast({ hash: other });
    expect(await pinned()).toBe(cast);
  });

  it("of an unknown cast or channel is not found, of a cast in no channel cast_not_in_channel", async () => {
    await expect(pin(`0x${"e".repeat(40)}`)).rejects.toMatchObject({ code: "not_found" });
    await expect(unpin({ channelId: "nowhere" })).rejects.toMatchObject({ code: "not_found" });
    const stray = await net.seed.cast({ fid: owner });
    await expect(pin(stray)).rejects.toMatchObject({ code: "cast_not_in_channel" });
  });

  it("leaves one pin and as many announcements as changes when many pin at once", async () => {
    await Promise.all(Array.from({ length: 10 }, (_, n) => pin(n % 2 ? cast : other, true)));
    const announced = (await announcements()).map((announcement) => announcement.castHash);
    expect(announced[0]).toBe(await pinned());
    expect(announced.every((hash, index) => hash !== announced[index + 1])).toBe(true);
  });
});
