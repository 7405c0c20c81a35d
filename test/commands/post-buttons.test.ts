import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deliverAll } from "../../src/feed/deliver/deliver.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { newEvent } from "../../src/observe/events.ts";
import { castRow } from "../support/rules.ts";
import { resetBot, see, startBotInDiscord, type BotInDiscord, type Seen } from "../support/bot-in-discord.ts";
import { testToken } from "../support/discord.ts";
import { people } from "../support/world.ts";

let scene: BotInDiscord;
let hash: string;

beforeAll(async () => void (scene = await startBotInDiscord()));
afterAll(() => scene.stop());
beforeEach(async () => {
  await resetBot(scene);
  const { bot } = scene;
  hash = await bot.net.seed.cast({ fid: people.troll, channelId: "memes", text: "Free airdrop" });
  const row = castRow(hash, { fid: people.troll, text: "Free airdrop" });
  await bot.database.query.insertInto("castellan.casts").values(row).execute();
  await scene.run("owner", "feed add", { kinds: "casts,bans,records,members" }, "feed");
});

/** The latest message of the feed. */
async function posted(): Promise<Seen> {
  const { bot, discord } = scene;
  await deliverAll(bot, createRooms({ token: testToken, api: discord.api, onRefused: () => {} }));
  const shown = discord.context.world.messages.get(discord.rooms.feed) ?? [];
  const last = shown.findLast(({ visibleTo }) => visibleTo === null);
  if (!last) throw new Error("nothing was posted");
  return see(last);
}

/** A post about the troll's cast. */
async function postCast(): Promise<Seen> {
  const { bot } = scene;
  const place = { rootHash: hash, threadDepth: 0, mentions: [], embeds: [] };
  await bot.happen(
    newEvent(bot.clock.now(), {
      sourceKey: `cast:${hash}`,
      kind: "cast.created",
      channelId: "memes",
      subjectFid: people.troll,
      data: { castHash: hash, text: "Free airdrop", ...place },
    }),
  );
  return posted();
}

/** Presses a button of a post, and reads what only the one who pressed it sees. */
async function press(user: string, post: Seen, label: string): Promise<Seen> {
  const { discord } = scene;
  const answered = new Promise<Seen>((resolve) => {
    const stop = discord.context.happened.listen((event) => {
      if (event.kind !== "message" || event.message.id === post.message.id) return;
      if (event.message.visibleTo === null || event.message.embeds.length === 0) return;
      stop();
      resolve(see(event.message));
    });
  });
  scene.clickOnly(user, post, label);
  return answered;
}

const banned = async () =>
  (await scene.bot.network.channelBans.list({ channelId: "memes" })).result.bannedUsers.map(({ fid }) => fid);
const hides = async () =>
  (await scene.bot.network.moderatedCasts.list({ channelId: "memes" })).result.moderationActions.map(
    ({ action }) => action,
  );

describe("a post's buttons", () => {
  test("ask as the command does, act on Confirm, and leave the post to everybody", async () => {
    const post = await postCast();
    expect(Object.keys(post.buttons)).toEqual(["Hide", "Ban author", "History"]);
    const asked = await press("moderator", post, "Ban author");
    expect(asked.text).toContain("Ban from /memes?");
    expect(await banned()).toEqual([]);
    expect((await scene.click("moderator", asked, "Ban")).text).toContain("Ban · done");
    expect(await banned()).toEqual([people.troll]);
    const shown = scene.discord.context.world.messages.get(scene.discord.rooms.feed);
    expect(shown?.find(({ id }) => id === post.message.id)?.embeds[0]?.title).toBe("Cast in memes");
  });

  test("give no right: a stranger is told what it takes, and nothing is done", async () => {
    const post = await postCast();
    for (const label of ["Hide", "Ban author", "History"]) {
      expect((await press("stranger", post, label)).text).toContain("You may not");
    }
    expect([await banned(), await hides()]).toEqual([[], []]);
  });

  test("work after a restart, and say so where there is no such command any more", async () => {
    const post = await postCast();
    await scene.restart();
    const asked = await press("moderator", post, "Hide");
    expect((await scene.click("moderator", asked, "Hide")).text).toContain("Hide · done");
    expect(await hides()).toEqual(["hide"]);
    const old = { ...post, buttons: { Old: "run:cast bury:cast=1" } };
    const { components } = post.message;
    components.splice(0, components.length, {
      type: 1,
      components: [{ type: 2, style: 2, label: "Old", custom_id: "run:cast bury:cast=1" }],
    });
    expect((await press("moderator", old, "Old")).text).toContain("There is no command /cast bury any more");
  });

  test("take back what the post tells of, and tell its history", async () => {
    const post = await postCast();
    const asked = await press("moderator", post, "Hide");
    await scene.click("moderator", asked, "Hide");
    await scene.bot.happen(
      newEvent(scene.bot.clock.now(), {
        kind: "record.hidden",
        sourceKey: "record:1",
        channelId: "memes",
        subjectFid: people.troll,
        data: { castHash: hash },
      }),
    );
    const hidden = await posted();
    expect(hidden.text).toContain("Cast hidden in memes");
    expect(Object.keys(hidden.buttons)).toEqual(["Why", "Undo", "Ban author", "History"]);
    expect((await press("moderator", hidden, "Why")).text).toContain("Hide");
    await press("moderator", hidden, "Undo");
    expect((await hides()).toSorted()).toEqual(["hide", "unhide"]);
    expect((await press("moderator", hidden, "History")).text).toContain("Cases of /memes");
  });
});
