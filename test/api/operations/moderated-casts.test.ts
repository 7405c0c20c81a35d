import { beforeEach, describe, expect, it } from "vitest";
import { useTestNetwork } from "../../support/test-cases.ts";

const net = await useTestNetwork();

const owner = 1;
const moderator = 2;
let cast: string;
beforeEach(async () => {
  await net.context.database.truncate();
  await net.seed.channel("memes", { owner, moderators: [moderator] });
  cast = await net.seed.cast({ fid: 5, channelId: "memes" });
});

const moderate = (fid: number, action: "hide" | "unhide") =>
  net.as(fid).moderatedCasts.moderate({ castHash: cast, action });
const records = async (channelId?: string) =>
  (await net.public.moderatedCasts.list(channelId === undefined ? {} : { channelId })).result
    .moderationActions;

describe("cast moderation", () => {
  it("writes one record when twenty hide the same cast at once", async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => moderate(n % 2 ? owner : moderator, "hide")));
    expect(await records()).toHaveLength(1);
  });
});

describe("the moderation listing", () => {
  it("never goes back in time, even when the clock does", async () => {
    await moderate(owner, "hide");
    const [first] = await records();
    net.context.clock.advance(-60);
    await moderate(owner, "unhide");
    net.context.clock.advance(60);
    expect((await records()).map((record) => record.moderatedAt)).toEqual([
      first?.moderatedAt,
      first?.moderatedAt,
    ]);
    expect((await records()).map((record) => record.action)).toEqual(["unhide", "hide"]);
  });
});
