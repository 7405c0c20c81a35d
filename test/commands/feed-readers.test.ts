import { beforeEach, describe, expect, test } from "vitest";
import { createRooms } from "../../src/discord/rooms.ts";
import { newEvent } from "../../src/observe/events.ts";
import { pollRecords } from "../../src/observe/records/poll-records.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { testToken } from "../support/discord.ts";
import { deliverAll } from "../support/jobs.ts";
import { sendNow } from "../support/outbox.ts";
import { castRow } from "../support/rules.ts";
import { useBotInDiscord } from "../support/scenes.ts";
import { people } from "../support/world.ts";

const scene = await useBotInDiscord();
const { bot, discord } = scene;
const rooms = createRooms({ token: testToken, api: discord.api, onRefused: () => {} });
const picture = "https://pictures.example/cat.png";
const posts = () =>
  (discord.context.world.messages.get(discord.rooms.feed) ?? []).filter(
    ({ visibleTo }) => visibleTo === null,
  );

beforeEach(() => discord.context.world.messages.clear());

async function deliver(): Promise<void> {
  await deliverAll(bot, rooms);
  await sendNow(bot, rooms);
}

async function say(text: string): Promise<string> {
  const castHash = await bot.net.seed.cast({ fid: people.troll, channelId: "memes", text });
  const row = castRow(castHash, { fid: people.troll, text, embeds: JSON.stringify([picture]) });
  await bot.database.query.insertInto("castellan.casts").values(row).execute();
  const data = { castHash, text, rootHash: castHash, threadDepth: 0, mentions: [], embeds: [picture] };
  const about = { sourceKey: `cast:${castHash}`, channelId: "memes", subjectFid: people.troll };
  await bot.happen(newEvent(bot.clock.now(), { kind: "cast.created", data, ...about }));
  return castHash;
}

describe("a room for readers", () => {
  test("shows a cast with its picture and link in Discord, and nothing of it after a moderator hides it", async () => {
    const added = await scene.run("owner", "feed add", { room: "feed", look: "readers" });
    expect(added.text).toContain(
      "It shows members who join or leave, pins, edits of the channel, and all casts.",
    );
    expect(added.text).toContain("Its posts are for readers");
    expect((await scene.run("owner", "feed show")).text).toContain("casts · for readers");
    expect((await scene.run("owner", "audit")).text).toContain("of every linked channel, for readers");
    const cast = await say("gm SECRET");
    await deliver();
    expect(posts()).toMatchObject([
      {
        components: [],
        embeds: [
          {
            title: `Cast in memes: fid ${people.troll}`,
            url: `https://castle.test/~/conversations/${cast}`,
            description: "> gm SECRET",
            image: { url: picture },
          },
        ],
      },
    ]);
    const asked = await scene.run("moderator", "hide", { cast });
    await scene.click("moderator", asked, "Hide");
    await followLinks(bot);
    await pollRecords(bot, "memes");
    await deliver();
    const [post] = posts();
    expect(post?.embeds[0]).toMatchObject({ description: "This cast is no longer shown." });
    expect(JSON.stringify(posts())).not.toMatch(/SECRET|cat\.png|footer/);
    expect(discord.context.violations).toEqual([]);
  });

  test("is made by /feed room, which says what it leaves out, and is one for moderators again", async () => {
    await scene.run("owner", "feed add", { room: "feed", kinds: "bans, reviews" });
    const changed = await scene.run("owner", "feed room", { room: "feed", look: "readers" });
    expect(changed.text).toContain("Its posts are for readers");
    expect(changed.text).toContain("Readers never see reviews.");
    expect((await scene.run("owner", "audit")).text).toMatch(
      /changed the settings of <#\d+>: posts for readers/,
    );
    const kept = await scene.run("owner", "feed room", { room: "feed", digest: "1h" });
    expect(kept.text).toContain("Its posts are for readers");
    const back = await scene.run("owner", "feed room", { room: "feed", look: "desk" });
    expect(back.text).not.toContain("readers");
  });

  test("stays as it is when a feed with the other look is added", async () => {
    await scene.run("owner", "feed add", { room: "feed", look: "readers" });
    const refused = await scene.run("owner", "feed add", { room: "feed", kinds: "bans", look: "desk" });
    expect(refused.text).toMatch(/Posts in <#\d+> are for readers\. To change that, use \/feed room\./);
    const added = await scene.run("owner", "feed add", { room: "feed", kinds: "bans, health" });
    expect(added.text).toContain("It shows bans.");
    expect(added.text).toContain("Readers never see changes and problems of Castellan.");
    expect((await scene.run("owner", "feed show")).text).not.toContain("desk");
  });
});
