import { beforeEach, describe, expect, it } from "vitest";
import { useTestNetwork } from "../../support/test-cases.ts";

const net = await useTestNetwork();

const owner = 1;
let cast: string;
let other: string;
beforeEach(async () => {
  await net.context.database.truncate();
  await net.seed.channel("memes", { owner });
  cast = await net.seed.cast({ fid: 5, channelId: "memes" });
  other = await net.seed.cast({ fid: 5, channelId: "memes" });
});

const pin = (castHash: string, notifyChannelFollowers: boolean) =>
  net.as(owner).pinnedCasts.pin({ castHash, notifyChannelFollowers });
const pinned = async () => (await net.public.channels.get({ channelId: "memes" })).channel.pinnedCastHash;
const announcements = async () =>
  (await net.api.operator.notifications({ channelId: "memes" })).notifications;

describe("pinned cast of a channel", () => {
  it("leaves one pin and as many announcements as changes when many pin at once", async () => {
    await Promise.all(Array.from({ length: 10 }, (_, n) => pin(n % 2 ? cast : other, true)));
    const announced = (await announcements()).map((announcement) => announcement.castHash);
    expect(announced[0]).toBe(await pinned());
    expect(announced.every((hash, index) => hash !== announced[index + 1])).toBe(true);
  });
});
