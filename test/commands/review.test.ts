import { describe, expect, test } from "vitest";
import { castRow } from "../support/rules.ts";
import { people } from "../support/world.ts";
import { createChat, see, type Seen } from "../support/bot-in-discord.ts";
import { useReviewsInDiscord } from "../support/scenes.ts";

const scene = await useReviewsInDiscord();

describe("what a rule holds", () => {
  test("stands in the rooms with whom it concerns, why, what would be done, and buttons", async () => {
    const { feed, log } = await scene.hold();
    expect(feed.text).toContain("· held <t:");
    expect(feed.text).toContain("Rule `scam`, version 1");
    expect(feed.text).toContain("Approve would: `hide the cast`, `give 2 strike points`");
    expect(feed.text).toContain("Earlier: nothing · 0 strike points");
    expect(feed.text).toContain("Free airdrop");
    expect(Object.keys(feed.buttons)).toEqual([
      "Approve",
      "Hide",
      "Ban",
      "Dismiss",
      "Claim",
      "Leave to the owner",
    ]);
    expect(log.buttons).toEqual(feed.buttons);
  });

  test("is done on Approve, in the clicker's name, and every room shows it", async () => {
    const { feed } = await scene.hold();
    const after = await scene.click("moderator", feed, "Approve");
    expect(after.text).toContain(`Approved by <@${scene.users.moderator}>.`);
    expect(after.text).toContain("Case C-1: Hidden.");
    expect(after.message.embeds[0]?.title).toBe(feed.message.embeds[0]?.title);
    expect(Object.keys(after.buttons)).toEqual(["Undo"]);
    expect(await scene.hidden()).toEqual([[scene.castHash(), "hide"]]);
    await scene.deliver();
    const everywhere = { text: `${after.text}\nE-2`, buttons: after.buttons };
    expect(scene.shownIn("mod-log")).toMatchObject(everywhere);
    expect(scene.shownIn("feed")).toMatchObject(everywhere);
    const [subject] = await scene.bot.database.query.selectFrom("castellan.cases").selectAll().execute();
    expect(subject).toMatchObject({ actor_user: scene.users.moderator, rule_id: "scam", state: "applied" });
  });

  test("counts what was before it, and not what deciding it did", async () => {
    const row = castRow(scene.castHash(), { fid: people.troll, text: "Free airdrop" });
    await scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
    const { feed } = await scene.hold();
    const after = await scene.click("moderator", feed, "Approve");
    expect(after.text).toContain("Earlier: nothing");
    scene.bot.clock.advance(60);
    expect((await scene.run("moderator", "review show", { number: "R-1" })).text).toContain(
      "Earlier: nothing",
    );
  });

  test("does not count what somebody did about the cast itself meanwhile", async () => {
    const row = castRow(scene.castHash(), { fid: people.troll, text: "Free airdrop" });
    await scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
    await scene.hold();
    const asked = await scene.run("moderator", "hide", { cast: scene.castHash() });
    await scene.click("moderator", asked, "Hide");
    scene.bot.clock.advance(60);
    const { text } = await scene.run("moderator", "review show", { number: "R-1" });
    expect(text).toContain("The cast is hidden already: **C-1**.");
    expect(text).toContain("Earlier: nothing");
  });

  /** Clicks Ban; gives the question that the clicker alone sees. */
  async function askToBan(user: string, feed: Seen): Promise<Seen> {
    const asked = scene.nextMessage("Ban from /memes?");
    scene.clickOnly(user, feed, "Ban");
    return see(await asked);
  }

  test("is banned for good by Ban, after a second click by who has seen what it means", async () => {
    const { feed } = await scene.hold();
    const asked = await askToBan("owner", feed);
    expect(asked.message.visibleTo).toBe(scene.users.owner);
    expect(asked.text).toContain("fid 7");
    expect(asked.text).toContain("For how long? Castellan lifts the ban");
    expect(asked.text).toContain("Earlier: nothing.");
    expect(asked.text).toContain("Lifting the ban does not bring back roles and invites");
    expect(Object.keys(asked.buttons)).toEqual([
      "1 day",
      "7 days",
      "30 days",
      "Permanent",
      "Add a reason",
      "Cancel",
    ]);
    expect(await scene.banned()).toEqual([]);
    expect(scene.shownIn("feed").buttons).toEqual(feed.buttons);

    // A permanent ban takes a reason first.
    const ready = await createChat(scene.discord).fill("owner", asked, "Permanent", { reason: "airdrops" });
    expect(ready.text).toContain("Permanently.\nReason: airdrops");
    expect((await scene.click("owner", ready, "Ban")).text).toMatch(/C-1[^]*Banned/);
    expect(await scene.banned()).toEqual([people.troll]);
    await scene.deliver();
    expect(Object.keys(scene.shownIn("feed").buttons)).toEqual(["Undo"]);
    expect(scene.shownIn("feed").text).toContain("Banned by");
  });

  test("gets a permanent ban from Approve only after a second click", async () => {
    const { feed } = await scene.hold({ then: [{ hide: {} }, { ban: {} }] });
    const question = scene.nextMessage("Approve review R-");
    scene.clickOnly("owner", feed, "Approve");
    const asked = see(await question);
    expect(asked.text).toContain("- `hide the cast`\n- `ban the author`\n");
    expect([await scene.hidden(), await scene.banned()]).toEqual([[], []]);
    expect((await scene.click("owner", asked, "Approve")).text).toContain("Approved by");
    expect(await scene.banned()).toEqual([people.troll]);
    expect(await scene.hidden()).toEqual([[scene.castHash(), "hide"]]);
  });

  test("is banned for a time by one click on Approve", async () => {
    const { feed } = await scene.hold({ then: [{ ban: { for: "1d" } }] });
    expect((await scene.click("owner", feed, "Approve")).text).toContain("Approved by");
    expect(await scene.banned()).toEqual([people.troll]);
  });

  test("is not banned on Cancel, and still waits", async () => {
    const { feed } = await scene.hold();
    const kept = await scene.click("owner", await askToBan("owner", feed), "Cancel");
    expect(kept.text).toContain("Nothing was done.");
    expect(kept.buttons).toEqual({});
    expect(await scene.banned()).toEqual([]);
    expect((await scene.click("owner", feed, "Dismiss")).text).toContain("Dismissed: nothing was done,");
  });

  test("is not banned when somebody else has decided between the two clicks", async () => {
    const { feed, log } = await scene.hold();
    const asked = await askToBan("owner", feed);
    await scene.click("moderator", log, "Dismiss");
    const told = scene.nextMessage("has already been decided");
    scene.clickOnly("owner", asked, "7 days");
    await told;
    expect(await scene.banned()).toEqual([]);
  });

  test("asks nobody to ban who may not", async () => {
    const { feed } = await scene.hold();
    const told = scene.nextMessage("You may not ban");
    scene.clickOnly("stranger", feed, "Ban");
    expect((await told).visibleTo).toBe(scene.users.stranger);
  });

  test("is left alone on Dismiss", async () => {
    const { feed } = await scene.hold();
    expect((await scene.click("owner", feed, "Dismiss")).text).toContain("Dismissed: nothing was done,");
    expect(await scene.hidden()).toEqual([]);
    await scene.deliver();
    expect(scene.shownIn("mod-log").text).toContain("Dismissed");
  });

  test("is decided once: of two clicks in two rooms, one counts and the other hears of it", async () => {
    const { feed, log } = await scene.hold();
    const told = scene.nextMessage("has already been decided");
    scene.clickOnly("owner", feed, "Dismiss");
    scene.clickOnly("moderator", log, "Hide");
    const loser = (await told).visibleTo;
    expect([scene.users.owner, scene.users.moderator]).toContain(loser);
    const dismissed = loser === scene.users.moderator;
    const winner = dismissed ? scene.users.owner : scene.users.moderator;
    for (const room of ["feed", "mod-log"] as const) {
      // The loser may hear of it before the edits are requested.
      const buttons = async () => {
        await scene.deliver();
        return Object.keys(scene.shownIn(room).buttons);
      };
      await expect.poll(buttons).toEqual(["Undo"]);
      expect(scene.shownIn(room).text).toContain(
        dismissed ? `Dismissed: nothing was done, by <@${winner}>` : `Hidden by <@${winner}>`,
      );
    }
    expect(await scene.hidden()).toEqual(dismissed ? [] : [[scene.castHash(), "hide"]]);
  });

  test("is not for strangers, and stays as it is for others when they try", async () => {
    const { feed } = await scene.hold();
    const told = scene.nextMessage("You may not hide casts of /memes");
    scene.clickOnly("stranger", feed, "Approve");
    const seen = see(await told);
    expect(seen.message.id).not.toBe(feed.message.id);
    expect(scene.shownIn("feed").buttons).toEqual(feed.buttons);
    expect(await scene.hidden()).toEqual([]);
  });

  test("stands alone in its message, between what happened before and after it", async () => {
    await scene.run("owner", "rule pause");
    await scene.run("owner", "rule resume");
    const { feed } = await scene.hold();
    scene.bot.clock.advance(1);
    await scene.run("owner", "rule pause");
    await scene.deliver();
    const messages = scene.discord.context.world.messages.get(scene.discord.rooms.feed) ?? [];
    const own = messages.slice(messages.findIndex(({ id }) => id === feed.message.id) - 1);
    expect(own.map(({ embeds, components }) => [embeds.length, components.length])).toEqual([
      [2, 1],
      [1, 2],
      [1, 1],
    ]);
  });

  const elsewhere = "another installation of Castellan";
  test.each([
    ["of another database, whose numbers are the same", () => crypto.randomUUID(), elsewhere],
    ["of an older version, which knew only numbers", (id: number) => String(id), elsewhere],
    ["that were made up", () => "abc", elsewhere],
    ["with bytes that no database takes", () => "\u0000", "U+0000 or half of a character"],
  ])("is not touched by buttons %s", async (_, tagOf, said) => {
    const { feed } = await scene.hold();
    const [item] = await scene.bot.database.query.selectFrom("castellan.review_items").selectAll().execute();
    const tag = tagOf(item?.id ?? 0);
    const told = scene.nextMessage(said);
    const world = scene.discord.context.world.messages.get(scene.discord.rooms.feed);
    const old = JSON.parse(
      JSON.stringify(feed.message).replaceAll(item?.tag ?? "", JSON.stringify(tag).slice(1, -1)),
    ) as typeof feed.message; // a copy with other custom ids
    world?.splice(
      world.findIndex(({ id }) => id === feed.message.id),
      1,
      old,
    );
    scene.clickOnly("owner", see(old), "Hide");
    expect((await told).visibleTo).toBe(scene.users.owner);
    expect(await scene.hidden()).toEqual([]);
  });

  test("works after a restart", async () => {
    const { feed } = await scene.hold();
    await scene.restartBot();
    expect((await scene.click("owner", feed, "Hide")).text).toContain("Case C-1: Hidden.");
  });

  test("offers no Approve where the rule only asks for a look", async () => {
    const { feed } = await scene.hold({ then: [{ review: { queue: "names" } }] });
    expect(Object.keys(feed.buttons)).toEqual(["Hide", "Ban", "Dismiss", "Claim", "Leave to the owner"]);
  });
});

describe("/review", () => {
  test("lists what waits, by queue, and opens it with its buttons", async () => {
    await scene.hold({ then: [{ hide: {} }, { review: { queue: "scams" } }] });
    const list = await scene.run("owner", "review show");
    expect(list.text).toContain("`scams` · rule `scam` · fid 7");
    expect((await scene.ask("owner", list, "R-1")).text).toContain("Approve would: `hide the cast`");
    expect((await scene.run("owner", "status")).text).toContain("1 held for a decision");
    expect(list.text).toMatch(/\*\*1 waiting\*\*, the oldest came <t:\d+:R> · `scams` 1/);
    expect((await scene.run("owner", "review show", { queue: "other" })).text).toContain(
      "There has never been a review in a queue `other`. Queues with open reviews: `scams` (1).",
    );
    const [item] = await scene.bot.database.query.selectFrom("castellan.review_items").select("id").execute();
    const shown = await scene.run("owner", "review show", { number: item?.id ?? 0 });
    expect((await scene.click("owner", shown, "Approve")).text).toContain("Case C-1: Hidden.");
    await scene.deliver();
    expect(scene.shownIn("feed").text).toContain("Approved by");
    expect((await scene.run("owner", "review show")).text).toContain("Nothing is waiting");
  });

  test("shows nothing to who may not look, nor of other servers", async () => {
    await scene.hold();
    expect((await scene.run("stranger", "review show")).text).toContain(
      "You may not view the lists and cases of /memes",
    );
    await scene.bot.database.query.updateTable("castellan.review_items").set({ guild_id: "901" }).execute();
    const [item] = await scene.bot.database.query.selectFrom("castellan.review_items").select("id").execute();
    const shown = await scene.run("owner", "review show", { number: item?.id ?? 0 });
    expect(shown.text).toContain("in this server");
  });
});

test("strike points and notes are known when somebody acts on the author", async () => {
  await scene.judge({
    mode: "enforce",
    then: [{ strike: { points: 4, ttl: "1d" } }, { note: { text: "Sells airdrops" } }],
  });
  const known = await scene.run("owner", "ban", {
    user: String(people.troll),
    duration: "permanent",
    reason: "spam",
  });
  expect(known.text).toContain("4 strike points.");
  expect(known.text).toContain("Note of rule `scam`: Sells airdrops");
  scene.bot.clock.advance(86_400);
  const later = await scene.run("owner", "ban", {
    user: String(people.troll),
    duration: "permanent",
    reason: "spam",
  });
  expect(later.text).not.toContain("strike points");
});
