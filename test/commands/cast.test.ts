import { beforeEach, describe, expect, test } from "vitest";
import { people } from "../support/world.ts";
import { useBotInDiscord } from "../support/scenes.ts";

let cast: string;

const scene = await useBotInDiscord();
beforeEach(async () => {
  cast = await scene.bot.net.seed.cast({
    fid: people.troll,
    channelId: "memes",
    text: "@everyone **buy** now",
  });
  await indexCast(cast, "memes");
});

async function indexCast(hash: string, channel_id: string): Promise<void> {
  await scene.bot.database.query
    .insertInto("castellan.casts")
    .values({
      hash,
      channel_id,
      fid: people.troll,
      text: "@everyone **buy** now",
      parent_hash: null,
      root_hash: hash,
      thread_depth: 0,
      cast_at: 1_600_000_000,
      embeds: "[]",
      removed_at: null,
    })
    .execute();
}

async function isHidden(): Promise<boolean> {
  return (await scene.bot.net.api.operator.readCast({ hash: cast })).hiddenByModeration;
}

async function pinned(): Promise<string | undefined> {
  return (await scene.bot.network.channels.get({ channelId: "memes" })).channel.pinnedCastHash;
}

describe("/hide and /undo", () => {
  test("shows the cast, hides it after the click, keeps its text as evidence, and shows it again", async () => {
    const preview = await scene.run("moderator", "hide", { cast: `https://castle.test/troll/${cast}` });
    expect(preview.text).toContain("fid 7");
    expect(preview.message.mentionsEveryone).toBe(false);
    expect(await isHidden()).toBe(false);
    expect((await scene.click("moderator", preview, "Hide")).text).toContain("C-1 · Hide · done");
    expect(await isHidden()).toBe(true);
    const { evidence } = await scene.bot.database.query
      .selectFrom("castellan.cases")
      .select("evidence")
      .executeTakeFirstOrThrow();
    expect(evidence).toBe("@everyone **buy** now");
    expect((await scene.run("moderator", "undo", { what: cast, reason: "a mistake" })).text).toContain(
      "C-2 · Unhide · done",
    );
    expect(await isHidden()).toBe(false);
    expect(scene.discord.context.violations).toEqual([]);
  });

  test.each([
    [
      "no hash at all",
      "hello",
      "Paste its link, which you copy in the Farcaster app where you share the cast (`https://castle.test/name/0x…`)",
    ],
    ["digits of a cast that was never seen", "0xdddddddd", "no cast whose hash begins with 0xdddddddd"],
  ])("%s is refused in words", async (_, typed, words) => {
    expect((await scene.run("moderator", "hide", { cast: typed })).text).toContain(words);
  });

  test("a cast that the network does not know is a failed case", async () => {
    const preview = await scene.run("moderator", "hide", { cast: `0x${"d".repeat(40)}` });
    expect(preview.text).toContain("has not seen this cast");
    expect((await scene.click("moderator", preview, "Hide")).text).toContain("has no such channel or cast");
  });

  test("rights in one channel are none in another that the bot moderates too", async () => {
    await scene.bot.net.seed.channel("art", { owner: 1, moderators: [9001] });
    const elsewhere = await scene.bot.net.seed.cast({ fid: people.troll, channelId: "art" });
    const unseen = await scene.run("moderator", "hide", { cast: elsewhere });
    expect(unseen.text).toContain("does not know whether it is in memes");
    await indexCast(elsewhere, "art");
    const seen = await scene.run("moderator", "hide", { cast: elsewhere, channel: "memes" });
    expect(seen.text).toContain("in art, not in memes");
  });

  test("autocomplete finds casts by their words, harmless and short", async () => {
    const typed = { user: "moderator", room: "general", command: "hide", options: { cast: "BUY" } };
    const choices = await scene.discord.people.autocomplete({ ...typed, focused: "cast" });
    expect(choices).toEqual([{ name: "fid 7, 1157 days ago: @everyone **buy** now", value: cast }]);
    const none = { ...typed, options: { cast: "%" } };
    expect(await scene.discord.people.autocomplete({ ...none, focused: "cast" })).toEqual([]);
  });
});

describe("/pin", () => {
  test("pins at once, and clears what is pinned", async () => {
    const seen = await scene.run("moderator", "pin", { cast });
    expect(seen.text).toContain("Pinned.");
    expect(Object.keys(seen.buttons)).toEqual(["Undo", "Who is this?", "History"]);
    expect(await pinned()).toBe(cast);
    expect((await scene.run("moderator", "pin", { clear: true })).text).toContain("C-2 · Unpin · done");
    expect(await pinned()).toBeUndefined();
    expect((await scene.run("moderator", "pin", { clear: true })).text).toContain("Nothing was pinned");
    const both = await scene.run("moderator", "pin", { cast, clear: true });
    expect(both.text).toContain("Fill in either");
    expect((await scene.run("moderator", "pin")).text).toContain("Fill in either");
  });

  test("always asks before everybody is notified, with the number of them", async () => {
    await scene.bot.net.seed.follow(people.member, "memes");
    const preview = await scene.run("moderator", "pin", { cast, notify: true });
    expect(preview.text).toContain("1 follower will be notified. This cannot be undone");
    expect(await pinned()).toBeUndefined();
    expect((await scene.click("moderator", preview, "Pin and notify everyone")).text).toContain(
      "every follower was notified",
    );
    const { notifications } = await scene.bot.net.api.operator.notifications({ channelId: "memes" });
    expect(notifications).toMatchObject([{ castHash: cast, recipients: 1 }]);
  });

  test("is refused to a stranger", async () => {
    expect((await scene.run("stranger", "pin", { cast })).text).toContain("You may not pin");
    expect((await scene.run("stranger", "pin", { clear: true })).text).toContain("You may not pin");
    expect(await pinned()).toBeUndefined();
  });
});
