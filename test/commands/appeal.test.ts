import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createRooms } from "../../src/discord/rooms.ts";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { eraseAuthor } from "../../src/retention/erase-author.ts";
import type { Seen } from "../support/bot-in-discord.ts";
import { testToken } from "../support/discord.ts";
import { sendNow } from "../support/outbox.ts";
import { castRow } from "../support/rules.ts";
import { startReviewsInDiscord } from "../support/rules-in-discord.ts";
import { people, verifyDiscord } from "../support/world.ts";

const scene = await startReviewsInDiscord();
afterAll(() => scene.stop());
beforeEach(async () => {
  // Private messages of other tests are of another time.
  scene.bot.clock.advance(10);
  await scene.reset();
  const row = castRow(scene.castHash(), { fid: people.troll, text: "Free airdrop" });
  await scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
  // The stranger in Discord is the troll on the network.
  await verifyDiscord(scene.bot, people.troll, scene.users.stranger);
});

async function ban(): Promise<void> {
  const asked = await scene.run("moderator", "ban", { user: "7", reason: "spam", duration: "permanent" });
  await scene.click("moderator", asked, "Ban");
}
async function hide(): Promise<void> {
  const asked = await scene.run("moderator", "hide", { cast: scene.castHash() });
  await scene.click("moderator", asked, "Hide");
}

const appeal = (text?: string, options: Record<string, string> = {}): Promise<Seen> =>
  scene.run("stranger", "appeal", { ...(text !== undefined && { text }), ...options });

async function posted(): Promise<Seen> {
  await scene.deliver();
  return scene.shownIn("feed");
}

/** Clicks on what stands in the room, until it says this. */
async function press(label: string, says: string): Promise<void> {
  scene.clickOnly("moderator", scene.shownIn("feed"), label);
  await expect.poll(() => scene.shownIn("feed").text).toContain(says);
}

const rooms = () => createRooms({ token: testToken, api: scene.discord.api, onRefused: () => {} });

/** Private messages to the stranger. */
function told(): string[] {
  const { world } = scene.discord.context;
  const room = [...world.rooms.values()].find(({ recipientId }) => recipientId === scene.users.stranger);
  return (world.messages.get(room?.id ?? "") ?? []).flatMap(({ embeds }) =>
    embeds.map(({ title, description }) => `${title}: ${description}`),
  );
}
const newly = async (before: number) => {
  await sendNow(scene.bot, rooms());
  return told().slice(before);
};

/** Answers that are still to be sent. */
async function waiting(): Promise<number> {
  const { query } = scene.bot.database;
  const answers = query.selectFrom("castellan.outbox").select("id").where("kind", "=", "answer");
  return (await answers.where("state", "=", "waiting").execute()).length;
}

const items = () => scene.bot.database.query.selectFrom("castellan.review_items").selectAll().execute();

describe("somebody who is banned", () => {
  test("sees what holds, and asks for it to be looked at again; Lift lifts the ban, and they are told", async () => {
    const before = told().length;
    await ban();
    expect((await appeal()).text).toMatch(/\*\*C-1\*\* Ban in \/memes <t:\d+:R> · spam/);
    const sent = await appeal("I was **hacked** @everyone [x](https://evil.example)");
    expect(sent.message.visibleTo).toBe(scene.users.stranger);
    expect(sent.text).toContain("Nothing changes until they decide.");
    const post = await posted();
    expect(post.text).toMatch(/Appeal R-1 · memes[^]* · sent <t:/);
    const { stranger, moderator } = scene.users;
    expect(post.text).toContain(
      `<@${stranger}> appeals against the ban: case **C-1** in /memes, by <@${moderator}>`,
    );
    expect(post.text).toContain("Granting it would: `lift the ban`");
    expect(post.text).toContain("```\nI was **hacked** @everyone [x](https://evil.example)\n```");
    expect(Object.keys(post.buttons)).toEqual(["Lift", "Keep", "Claim", "Leave to the owner"]);
    expect((await appeal()).text).toContain("the moderators have not decided yet");
    await scene.restartBot();
    const after = await scene.click("owner", post, "Lift");
    expect(after.text).toContain(`Granted by <@${scene.users.owner}>.`);
    expect(after.text).not.toContain("Granting it would");
    expect(Object.keys(after.buttons)).toEqual(["Undo", "Invite again"]);
    expect(after.text).not.toContain("is no longer in force");
    expect(await scene.banned()).toEqual([]);
    expect((await scene.run("owner", "case show", { number: "C-2" })).text).toContain("for an appeal");
    expect((await scene.run("owner", "case show", { number: "C-1" })).text).toContain("lifted since");
    expect(await newly(before)).toEqual([
      "Your appeal was granted: The moderators looked again at your ban from /memes (C-1). The ban is lifted. You need a new invite to become a member again.",
    ]);
    expect(await waiting()).toBe(0);
  });

  test("is shown with what holds against them: nothing that was undone, no invite, and not the ban itself", async () => {
    await scene.bot.net.seed.follow(people.troll, "memes");
    await scene.run("moderator", "invite", { user: "7" });
    await hide();
    await scene.run("moderator", "undo", { what: scene.castHash() });
    await hide();
    await ban();
    await appeal("please", { case: "C-5" });
    expect((await posted()).text).toContain("Earlier: 1 hide ·");
  });

  test("hears that it stays, once, and cannot appeal against the same again, but against a new ban", async () => {
    const before = told().length;
    await ban();
    await appeal("please");
    await scene.click("moderator", await posted(), "Keep");
    expect(await scene.banned()).toEqual([people.troll]);
    expect(await newly(before)).toEqual([expect.stringContaining("not granted: ")]);
    const again = await appeal("please, please");
    expect(again.text).toContain("Nothing was sent.");
    expect(again.text).toMatch(
      /\*\*C-1\*\* Ban in \/memes, appealed <t:\d+:R>: not granted <t:\d+:R>; it stays\./,
    );
    expect(await items()).toHaveLength(1);
    const asked = await scene.run("moderator", "undo", { what: "fid 7" });
    await scene.click("moderator", asked, "Lift the ban");
    await ban();
    expect((await appeal("another")).text).toContain("Appeal sent");
  });

  test("reads the answer at the next /appeal where Discord takes no message to them", async () => {
    const before = told().length;
    await ban();
    await appeal("please");
    await scene.click("moderator", await posted(), "Keep");
    const refusal = { status: 403, code: 50007, message: "Cannot send messages to this user" };
    const lift = scene.discord.faults.refuse("POST", "/channels/:room/messages", refusal);
    expect(await newly(before)).toEqual([]);
    lift();
    expect(await waiting()).toBe(0);
    expect((await appeal()).text).toContain("not granted");
  });

  test("is told of a granted ban only once it is lifted, and of nothing that they have read", async () => {
    const before = told().length;
    await ban();
    await appeal("please");
    await scene.click("moderator", await posted(), "Lift");
    await scene.bot.database.query
      .updateTable("castellan.cases")
      .set({ state: "requested" })
      .where("number", "=", 2)
      .execute();
    expect(await newly(before)).toEqual([]);
    await scene.bot.database.query
      .updateTable("castellan.cases")
      .set({ state: "applied" })
      .where("number", "=", 2)
      .execute();
    expect((await appeal()).text).toContain("granted");
    expect(await newly(before)).toEqual([]);
  });

  test("hears that a ban is lifted though they have seen that it will be", async () => {
    const before = told().length;
    await ban();
    await appeal("please");
    await scene.click("moderator", await posted(), "Lift");
    const settle = async (unban: "requested" | "applied", subject: "applied" | "reverted") => {
      for (const [number, state] of [
        [1, subject],
        [2, unban],
      ] as const) {
        const cases = scene.bot.database.query.updateTable("castellan.cases").set({ state });
        await cases.where("number", "=", number).execute();
      }
    };
    await settle("requested", "applied");
    expect((await appeal()).text).toContain("granted");
    await settle("applied", "reverted");
    expect(await newly(before)).toHaveLength(1);
  });

  test("is answered anew where a decision is undone and decided otherwise", async () => {
    const before = told().length;
    await ban();
    await appeal("please");
    await posted();
    await press("Keep", "Not granted by");
    await newly(before);
    await press("Undo", "An earlier decision was undone");
    await press("Lift", "Granted by");
    const answers = await newly(before);
    expect(answers).toHaveLength(2);
    expect(answers[1]).toContain("The ban is lifted");
    expect(answers[1]).toContain("takes the place of an earlier answer");
  });

  test("loses what they wrote when they are erased", async () => {
    await ban();
    await appeal("SECRET words");
    await posted();
    await eraseAuthor(scene.bot, people.troll);
    expect(JSON.stringify(await items())).not.toContain("SECRET");
  });
});

describe("the author of a hidden cast", () => {
  test("asks for it to be shown again, which Undo takes back", async () => {
    await hide();
    await appeal("It is no scam");
    const post = await posted();
    expect(post.text).toContain("appeals against that a cast is hidden: case **C-1**");
    expect(post.text).toContain("The cast: `Free airdrop`");
    await press("Show again", "Granted by");
    expect((await scene.hidden())[0]).toEqual([scene.castHash(), "unhide"]);
    await press("Undo", "An earlier decision was undone");
    expect((await scene.hidden())[0]).toEqual([scene.castHash(), "hide"]);
  });

  test("says which of several, by a menu, and appeals one at a time", async () => {
    await ban();
    await hide();
    const asked = await appeal("please");
    expect(asked.text).toContain("Which one do you want to appeal?");
    const sent = await scene.choose("stranger", asked, "Hidden cast in /memes, C-2");
    expect(sent.text).toContain("your hidden cast (C-2)");
    expect((await appeal("and this")).text).toContain("Your appeal about C-2 in /memes is still waiting");
    expect((await appeal("again", { case: "C-2" })).text).toContain(
      "You have already appealed C-2 in /memes; the moderators have not decided yet. Nothing was sent.",
    );
    await scene.click("moderator", await posted(), "Keep");
    expect((await appeal("again", { case: "C-2" })).text).toContain("decided to leave it as it is");
    expect((await appeal("and this")).text).toContain("your ban (C-1)");
  });

  test("appeals elsewhere while one is open in a channel that is no longer linked", async () => {
    await ban();
    await hide();
    const asked = await appeal("please");
    await scene.choose("stranger", asked, "Hidden cast in /memes, C-2");
    const { query } = scene.bot.database;
    await query.updateTable("castellan.review_items").set({ channel_id: "gone" }).execute();
    expect((await appeal("and this", { case: "C-1" })).text).toContain("your ban (C-1)");
  });

  test("appeals once where two do at the same moment", async () => {
    await hide();
    const answers = await Promise.all([appeal("one"), appeal("two")]);
    expect(answers.filter(({ text }) => text.includes("Appeal sent"))).toHaveLength(1);
    expect(await items()).toHaveLength(1);
  });
});

describe("an appeal", () => {
  test("is of whoever verified the account, and of nobody else", async () => {
    await ban();
    const stranger = await scene.run("member", "appeal", { text: "please" });
    expect(stranger.text).toContain("does not know which Farcaster account is");
    const other = await scene.run("member", "appeal", { text: "please", user: "7" });
    expect(other.text).toContain("fid 7 has not verified your Discord account");
    expect((await appeal("please", { user: "7" })).text).toContain("Appeal sent");
  });

  test("is refused by who could have granted it, with that alone", async () => {
    await ban();
    await appeal("please");
    const { guildId } = scene.discord;
    const everybody = { guildId, channelId: "memes", roleId: guildId, capabilities: ["hide" as const] };
    await scene.bot.database.transaction((tx) => giveCapabilities(tx, everybody));
    const post = await posted();
    const refused = scene.nextMessage("You may not ban people from");
    scene.clickOnly("member", post, "Keep");
    expect((await refused).visibleTo).toBe(scene.users.member);
    const [item] = await items();
    const wrong = { decision: "ban", reviews: `R-${item?.id}` };
    expect((await scene.run("owner", "review decide", wrong)).text).toContain(
      "An appeal is granted (approve) or not",
    );
    const plan = await scene.run("owner", "review decide", { decision: "approve", reviews: `R-${item?.id}` });
    expect((await scene.click("owner", plan, "Approve")).text).toContain("Granted by");
    expect(await scene.banned()).toEqual([]);
  });

  test("is no more taken than so many an hour of a server", async () => {
    await ban();
    await hide();
    await appeal("please", { case: "C-1" });
    const { query } = scene.bot.database;
    const [row] = await query.selectFrom("castellan.appeals").selectAll().execute();
    if (!row) throw new Error("no appeal");
    for (let index = 0; index < 29; index += 1) {
      const [item] = await items();
      if (!item) throw new Error("no item");
      const { id: _, tag: _tag, ...copy } = item;
      const made = await query
        .insertInto("castellan.review_items")
        .values({ ...copy, event_id: 8000 + index, state: "dismissed", decided_by: "1", decided_at_ms: 1 })
        .returning("id")
        .executeTakeFirstOrThrow();
      const subject = await query
        .insertInto("castellan.cases")
        .values({
          guild_id: scene.discord.guildId,
          channel_id: "memes",
          number: 100 + index,
          target_key: `memes ${index}`,
          kind: "ban",
          state: "applied",
          actor_kind: "outside",
          requested_at_ms: 1,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      const other = { ...row, item_id: made.id, case_id: subject.id, user_id: "9", seen_round: 0 };
      await query.insertInto("castellan.appeals").values(other).execute();
    }
    await query.updateTable("castellan.review_items").set({ state: "dismissed" }).execute();
    expect((await appeal("please", { case: "C-2" })).text).toContain("at most 30 appeals an hour");
  });
});
