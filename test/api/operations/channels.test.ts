import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Channel } from "../../../src/contract/channels.ts";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

let network: TestNetwork;

beforeAll(async () => {
  network = await createTestNetwork();
});
afterAll(() => network.context.database.close());
beforeEach(() => network.context.database.truncate());

describe("a channel", () => {
  it("carries every optional field that it has, and its moderators without the owner", async () => {
    const fid = Number.MAX_SAFE_INTEGER;
    const pinned = `0x${"ab".repeat(20)}`;
    await network.seed.channel("full", { owner: 1, moderators: [3, fid], publicCasting: false });
    await network.context.database.query
      .updateTable("network.channels")
      .set({
        description: "with friends",
        description_mentions: JSON.stringify([5, 6]),
        description_mentions_positions: JSON.stringify([0, 4]),
        image_url: "https://castle.test/i.png",
        header_image_url: "https://castle.test/h.png",
        pinned_cast_hash: pinned,
        external_link_title: "Home",
        external_link_url: "https://castle.test",
      })
      .execute();
    const { channel } = await network.public.channels.get({ channelId: "full" });
    expect(channel).toMatchObject({
      description: "with friends",
      descriptionMentions: [5, 6],
      descriptionMentionsPositions: [0, 4],
      imageUrl: "https://castle.test/i.png",
      headerImageUrl: "https://castle.test/h.png",
      moderatorFids: [3, fid],
      pinnedCastHash: pinned,
      publicCasting: false,
      externalLink: { title: "Home", url: "https://castle.test" },
    });
    expect(Channel.parse(channel)).toEqual(channel);
  });

  it("that is unknown, or deleted, is not found", async () => {
    await network.seed.channel("gone");
    await network.context.database.query.deleteFrom("network.channels").execute();
    await expect(network.public.channels.get({ channelId: "gone" })).rejects.toMatchObject({
      code: "not_found",
      message: "There is no channel gone.",
    });
  });
});

describe("all channels", () => {
  it("are none in an empty network", async () => {
    expect(await network.public.channels.all({})).toEqual({ channels: [] });
  });
});
