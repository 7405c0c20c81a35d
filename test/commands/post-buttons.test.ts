import { beforeEach, describe, expect, test } from "vitest";
import { deliverAll } from "../support/jobs.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { newEvent } from "../../src/observe/events.ts";
import { castRow } from "../support/rules.ts";
import { see, type Seen } from "../support/bot-in-discord.ts";
import { testToken } from "../support/discord.ts";
import { people } from "../support/world.ts";
import { useBotInDiscord } from "../support/scenes.ts";

let hash: string;

const scene = await useBotInDiscord();
beforeEach(async () => {
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

/** A post about the troll's cast that a moderator has hidden. */
async function postHide(): Promise<Seen> {
  const asked = await press("moderator", await postCast(), "Hide");
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
    expect(Object.keys(post.buttons)).toEqual(["Hide", "Ban author", "History", "Add to blocklist…"]);
    const asked = await press("moderator", post, "Ban author");
    expect(asked.text).toContain("Ban from /memes?");
    expect(await banned()).toEqual([]);
    expect((await scene.click("moderator", asked, "1 day")).text).toContain("Ban · done");
    expect(await banned()).toEqual([people.troll]);
    const shown = scene.discord.context.world.messages.get(scene.discord.rooms.feed);
    expect(shown?.find(({ id }) => id === post.message.id)?.embeds[0]?.title).toBe("Cast in memes");
  });

  test("give no right: a stranger is told what it takes, and nothing is done", async () => {
    const post = await postCast();
    for (const label of ["Hide", "Ban author", "History", "Add to blocklist…"]) {
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
    expect((await press("moderator", old, "Old")).text).toContain("The command /cast bury no longer exists");
  });

  test("undo the case that the post tells of, after saying what comes back, once, also after a restart", async () => {
    const hidden = await postHide();
    expect(hidden.text).toContain("Cast hidden in memes");
    expect(Object.keys(hidden.buttons)).toEqual([
      "Why",
      "Undo",
      "Ban author",
      "History",
      "Add to blocklist…",
    ]);
    expect((await press("moderator", hidden, "Why")).text).toContain("Hide");
    expect((await press("stranger", hidden, "Undo")).text).toContain("You may not");
    await scene.restart();
    const asked = await press("owner", hidden, "Undo");
    expect(asked.text).toContain("Undo case C-1 in /memes?");
    expect(asked.text).toContain("1 cast shows again.");
    expect(await hides()).toEqual(["hide"]);
    expect((await scene.click("owner", asked, "Undo")).text).toContain("Unhide · done");
    expect((await hides()).toSorted()).toEqual(["hide", "unhide"]);
    expect((await press("moderator", hidden, "History")).text).toContain("Cases of /memes");
    expect((await press("moderator", hidden, "Undo")).text).toContain(
      "Nothing of case C-1 can be undone: it was undone since.",
    );
  });

  test("leave alone what others did to the same since", async () => {
    const hidden = await postHide();
    await scene.click("moderator", await press("moderator", hidden, "Undo"), "Undo");
    await scene.click("owner", await scene.run("owner", "hide", { cast: hash }), "Hide");
    expect((await press("moderator", hidden, "Undo")).text).toContain("it was undone since");
    expect((await hides())[0]).toBe("hide");
  });

  test("of earlier versions go on working: what takes something back was a command of its own", async () => {
    const hidden = await postHide();
    const customId = `run:unhide:cast=${hash}:channel=memes`;
    hidden.message.components.splice(0, hidden.message.components.length, {
      type: 1,
      components: [{ type: 2, style: 2, label: "Undo", custom_id: customId }],
    });
    await press("moderator", { ...hidden, buttons: { Undo: customId } }, "Undo");
    expect((await hides()).toSorted()).toEqual(["hide", "unhide"]);
  });
});
