import { beforeEach, expect, test } from "vitest";
import { addFeed } from "../../src/feed/feeds.ts";
import { giveCapabilities, type Capability } from "../../src/moderation/capabilities.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { linkGuild, people } from "../support/world.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();
const { guildId } = scene.discord;
beforeEach(async () => {
  const { bot } = scene;
  // The stranger is in none of the channels' teams, and everybody may ban and undo in memes alone.
  await bot.net.seed.channel("art", { owner: people.owner, moderators: [people.moderator, bot.botFid] });
  await linkGuild(bot, "art", guildId);
  await give("memes");
  await addCase("memes");
  await addCase("art");
});

async function give(channelId: string): Promise<void> {
  const capabilities: Capability[] = ["view", "ban", "undo"];
  const grant = { guildId, channelId, roleId: guildId, capabilities };
  await scene.bot.database.transaction((tx) => giveCapabilities(tx, grant));
}

async function addCase(channelId: string): Promise<void> {
  const actor = { userId: "100" };
  const ban = { guildId, channelId, kind: "ban", targetFid: people.troll, actor } as const;
  await scene.bot.database.transaction(async (tx) => {
    const { id } = await proposeCase(tx, scene.bot.clock, ban);
    await tx.updateTable("castellan.cases").set({ state: "applied" }).where("id", "=", id).execute();
  });
}

/** Both channels have a C-1, as when each counted its own. */
async function numberAlike(): Promise<void> {
  await scene.bot.database.query
    .updateTable("castellan.cases")
    .set({ number: 1 })
    .where("number", "=", 2)
    .execute();
}

const show = async (user: string, number: string, path = "case show") =>
  scene.run(user, path, path === "undo" ? { what: number } : { number });

test("a number without a channel means the only case that has it, in any channel", async () => {
  expect((await show("moderator", "C-2", "undo")).text).toContain("Undo case C-2 in /art?");
  expect((await show("moderator", "C-1", "undo")).text).toContain("Undo case C-1 in /memes?");
  expect((await show("moderator", "C-2")).text).toContain("Channel: /art");
});

test("a case of a channel that the person may not view is like one that does not exist", async () => {
  for (const path of ["undo", "case show"]) {
    expect((await show("stranger", "C-1", path)).text).toContain("/memes");
    const [hidden, unknown] = [await show("stranger", "C-2", path), await show("stranger", "C-9", path)];
    expect(hidden.text.replace("C-2", "C-9")).toBe(unknown.text);
    expect(hidden.text).not.toContain("art");
  }
});

test("two channels with the same old number are offered, without those that the person may not view", async () => {
  await numberAlike();
  const asked = await show("moderator", "C-1", "undo");
  expect(asked.text).toContain("Several channels have a case C-1. Which one?");
  expect(Object.keys(asked.menu.values)).toEqual(["/art", "/memes"]);
  expect((await show("stranger", "C-1", "undo")).text).toContain("Undo case C-1 in /memes?");
});

test("the old number of the room's channel comes first", async () => {
  await numberAlike();
  const roomId = scene.discord.rooms["mod-log"];
  const feed = { guildId, roomId, channelIds: ["art"], kinds: ["cases" as const], namePattern: null };
  await addFeed(scene.bot, { ...feed, peopleOnly: false, createdBy: "100" });
  const { text } = await scene.run("moderator", "undo", { what: "C-1" }, "mod-log");
  expect(text).toContain("Undo case C-1 in /art?");
});
