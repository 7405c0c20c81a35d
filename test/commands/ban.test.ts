import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { expireBans } from "../../src/moderation/cases/expire.ts";
import { colors } from "../../src/text/colors.ts";
import { botFid, people, seedChannel } from "../support/world.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();

const troll = String(people.troll);

async function banned(): Promise<number[]> {
  const { result } = await scene.bot.network.channelBans.list({ channelId: "memes" });
  return result.bannedUsers.map(({ fid }) => fid);
}

function cases() {
  return scene.bot.database.query.selectFrom("castellan.cases").selectAll().orderBy("id").execute();
}

async function ban(user: string, options: Record<string, string | boolean> = {}) {
  const preview = await scene.run(user, "ban", {
    user: troll,
    duration: "permanent",
    reason: "spam",
    ...options,
  });
  return scene.click(user, preview, "Ban");
}

async function addCast(text: string, parentHash?: string): Promise<string> {
  const hash = await scene.bot.net.seed.cast({ fid: people.troll, channelId: "memes", text });
  await scene.bot.database.query
    .insertInto("castellan.casts")
    .values({
      hash,
      channel_id: "memes",
      fid: people.troll,
      text,
      parent_hash: parentHash ?? null,
      root_hash: parentHash ?? hash,
      thread_depth: parentHash ? 1 : 0,
      cast_at: 1_600_000_000,
      embeds: "[]",
      removed_at: null,
    })
    .execute();
  return hash;
}

describe("/ban", () => {
  test("previews the user and what cannot be undone, and bans after the click", async () => {
    const preview = await scene.run("moderator", "ban", { user: troll, reason: "spam", duration: "2d" });
    expect(preview.text).toContain(
      "fid 7 · now: no role, no invite\n" +
        "A ban hides all their replies, old and new. **Their other casts stay visible, and they can still post new ones.**\n" +
        "Lifting the ban does not bring back roles and invites: the user stays restricted until somebody invites them.\n" +
        "Reason: spam\nUntil <t:",
    );
    expect(preview.text).toContain("-# 0 casts seen in /memes, 0 hidden.\n-# Earlier: nothing.");
    expect(preview.message.visibleTo).toBe(scene.users.moderator);
    expect(await banned()).toEqual([]);
    const done = await scene.click("moderator", preview, "Ban");
    expect(done.text).toContain("C-1 · Ban · done");
    expect(done.text).toContain("does not bring back roles and invites");
    expect(Object.keys(done.buttons)).toEqual(["Undo", "Who is this?", "History"]);
    expect(await banned()).toEqual([people.troll]);
    expect(await cases()).toMatchObject([
      {
        state: "applied",
        actor_user: scene.users.moderator,
        actor_fid: people.moderator,
        public_reason: "spam",
      },
    ]);
    expect(scene.discord.context.violations).toEqual([]);
  });

  test("cancelled does nothing", async () => {
    const preview = await scene.run("moderator", "ban", {
      user: troll,
      duration: "permanent",
      reason: "spam",
    });
    expect((await scene.click("moderator", preview, "Cancel")).text).toContain("Nothing was done");
    expect(await cases()).toEqual([]);
  });

  test("is refused to a stranger, with the reason and no case", async () => {
    const seen = await scene.run("stranger", "ban", {
      user: troll,
      duration: "permanent",
      reason: "spam",
    });
    expect(seen.text).toContain("You may not ban people from /memes");
    expect(seen.buttons).toEqual({});
    expect(await cases()).toEqual([]);
  });

  test("is refused for the owner before anything is asked", async () => {
    const seen = await scene.run("moderator", "ban", {
      user: "1",
      duration: "permanent",
      reason: "spam",
    });
    expect(seen.text).toBe("The owner of a channel cannot be banned.");
  });

  test.each([
    [
      "a moderator",
      people.moderator,
      "fid 2 moderates the channel. Only the channel's owner can ban a moderator",
    ],
    ["the bot", 9001, "Castellan itself moderates the channel. Only the channel's owner can ban"],
  ])("is refused for %s before anything is asked", async (_who, fid, why) => {
    const seen = await scene.run("moderator", "ban", {
      user: String(fid),
      duration: "permanent",
      reason: "spam",
    });
    expect([seen.text, seen.buttons]).toEqual([expect.stringContaining(why), {}]);
    expect(await cases()).toEqual([]);
  });

  test("hides the user's own casts on request, each as a case", async () => {
    const root = await addCast("gm");
    await addCast("a reply", root);
    await addCast("buy now");
    const preview = await scene.run("moderator", "ban", {
      user: troll,
      hide_casts: true,
      duration: "permanent",
      reason: "spam",
    });
    expect(preview.text).toContain("All 2 visible casts of theirs will be hidden as well.");
    const done = await scene.click("moderator", preview, "Ban");
    expect(done.text).toContain("B-1 · Hide · memes · done\n**2 casts hidden**");
    expect(done.text).toContain("casts of fid 7");
    expect(await cases()).toMatchObject([
      { kind: "ban", state: "applied" },
      { kind: "hide", state: "applied" },
      { kind: "hide", state: "applied" },
    ]);
  });

  test("says how many of very many casts stay visible", async () => {
    await sql`
      insert into castellan.casts (hash, fid, channel_id, cast_at, parent_hash, root_hash, thread_depth, text, embeds,
        hidden, removed_at, erased_at_ms, from_past)
      select hash, fid, channel_id, cast_at, null, hash, 0, 'gm', '[]', false, null, null, false from (
        select '0x' || lpad(to_hex(n), 40, '0') as hash, 7 as fid, 'memes' as channel_id, 1600000000 + n as cast_at
        from generate_series(1, 5002) as n) as made
    `.execute(scene.bot.database.query);
    const preview = await scene.run("moderator", "ban", {
      user: troll,
      hide_casts: true,
      duration: "permanent",
      reason: "spam",
    });
    expect(preview.text).toContain("5002 casts seen in /memes, 0 hidden");
    expect(preview.text).toContain(
      "The latest 5000 of their 5002 visible casts will be hidden as well; **2 older ones stay**. Run the command again to hide the next 2.",
    );
  });

  test("a duration ends by itself, and the user stays restricted", async () => {
    await ban("moderator", { duration: "1h" });
    scene.bot.clock.advance(3599);
    expect(await expireBans(scene.bot)).toBe(0);
    scene.bot.clock.advance(2);
    expect(await expireBans(scene.bot)).toBe(1);
    expect(await banned()).toEqual([]);
    expect((await scene.run("moderator", "case show", { number: "2" })).text).toContain(
      "Case C\\-1 has expired",
    );
    expect((await scene.run("moderator", "case show", { number: "1" })).text).toContain("expired");
  });
});

describe("the question of a ban", () => {
  test("asks for how long, and one press bans", async () => {
    const asked = await scene.run("moderator", "ban", { user: troll });
    expect(asked.text).toContain("For how long? Castellan lifts the ban when the time is over.");
    expect(Object.keys(asked.buttons)).toEqual([
      "1 day",
      "7 days",
      "30 days",
      "Permanent",
      "Add a reason",
      "Hide their casts too",
      "Only restrict",
      "Cancel",
    ]);
    expect((await scene.click("moderator", asked, "7 days")).text).toContain("C-1 · Ban · done");
    const [row] = await cases();
    expect(Number(row?.due_at_ms)).toBe(scene.bot.clock.now() + 7 * 86_400_000);
    const again = await scene.run("moderator", "ban", { user: troll });
    expect(again.text).toContain("Change when the ban from /memes ends?");
    expect(again.text).toContain("The user is banned already, until");
    expect((await scene.click("moderator", again, "1 day")).text).toContain("C-2 · Expiry change · done");
    expect(await banned()).toEqual([people.troll]);
  });

  test("a permanent ban takes a reason first, and shows what it will do", async () => {
    const asked = await scene.run("moderator", "ban", { user: troll, duration: "permanent" });
    const ready = await scene.fill("moderator", asked, "Permanent", { reason: "sells airdrops" });
    expect(ready.text).toContain("Reason: sells airdrops\nPermanently.");
    expect(await banned()).toEqual([]);
    expect((await scene.click("moderator", ready, "Ban")).text).toContain("Reason: sells airdrops");
    expect(await cases()).toMatchObject([{ public_reason: "sells airdrops", due_at_ms: null }]);
  });

  test("keeps the reason while other choices change, and an empty one takes it away", async () => {
    await addCast("gm");
    const asked = await scene.run("moderator", "ban", { user: troll });
    const reasoned = await scene.fill("moderator", asked, "Add a reason", { reason: "spam" });
    const hiding = await scene.click("moderator", reasoned, "Hide their casts too");
    expect(hiding.text).toContain("Reason: spam");
    expect(hiding.text).toContain("Their 1 visible cast will be hidden as well.");
    const without = await scene.fill("moderator", hiding, "Change the reason", { reason: "" });
    expect(without.text).not.toContain("Reason:");
    const kept = await scene.click("moderator", without, "Keep their casts");
    expect(kept.text).toContain("Their other casts stay visible");
    expect(scene.discord.context.violations).toEqual([]);
  });

  test("offers every channel where the moderator may ban, if there are several", async () => {
    await seedChannel(scene.bot, "art", scene.discord.guildId);
    // What suggestions remember of rights is older than this.
    scene.bot.clock.advance(10);
    const asked = await scene.run("moderator", "ban", { user: troll, channel: "memes" });
    const reasoned = await scene.fill("moderator", asked, "Add a reason", { reason: "spam" });
    const wide = await scene.click("moderator", reasoned, "Everywhere I may ban");
    expect(wide.text).toContain("Ban from 2 channels?");
    expect(wide.text).toContain("Reason: spam");
    const narrow = await scene.click("moderator", wide, "Only in /memes");
    expect(narrow.text).toContain("Ban from /memes?");
    const again = await scene.click("moderator", narrow, "Everywhere I may ban");
    expect((await scene.click("moderator", again, "7 days")).text).toContain("**2 bans**");
    expect(await cases()).toMatchObject([
      { channel_id: "art", public_reason: "spam", state: "applied" },
      { channel_id: "memes", public_reason: "spam", state: "applied" },
    ]);
    expect(scene.discord.context.violations).toEqual([]);
  });

  test("says that a member loses more than the ban's end gives back", async () => {
    const asked = await scene.run("moderator", "ban", { user: String(people.member) });
    expect(asked.text).toContain(" · now: **member**\n");
    expect(asked.text).toContain("**Lifting the ban does not bring back their membership: ");
  });

  test("shows warnings and notes in normal letters, above the rest", async () => {
    const note = { user: troll, text: "Ask the owner first" };
    await scene.run("moderator", "note", note);
    const question = await scene.run("moderator", "ban", { user: troll });
    expect(question.text).toMatch(
      /when the time is over\.\n⚠️ No name [^\n]*\nNote of <@\d+>: Ask the owner first\n-# 0 casts seen/,
    );
  });

  test("does not speak of new casts where only members' casts show", async () => {
    const { query } = scene.bot.database;
    const publicCasting = (is: boolean) =>
      query.updateTable("network.channels").set({ public_casting: is }).where("id", "=", "memes").execute();
    await publicCasting(false);
    const question = await scene.run("moderator", "ban", { user: troll });
    await publicCasting(true);
    expect(question.text).toContain(
      "A ban hides all their replies and new casts, because only members' casts",
    );
    expect(question.text).toContain("**Their existing casts stay visible.**");
    expect(question.text).not.toContain("post new ones");
  });
});

describe("saved reasons", () => {
  test("are offered in the question, and bring their usual length", async () => {
    await scene.run("owner", "setup reasons", { add: "Sells airdrops", duration: "30d" });
    const listed = await scene.run("owner", "setup reasons", { add: "Insults" });
    expect(listed.text).toContain("- Insults · length asked each time\n- Sells airdrops · 30 days");
    const asked = await scene.run("moderator", "ban", { user: troll });
    expect(Object.keys(asked.menu.values)).toEqual(["Insults", "Sells airdrops"]);
    const insults = await scene.choose("moderator", asked, "Insults");
    expect(insults.text).toContain("Reason: Insults");
    expect(Object.keys(insults.buttons)).toContain("7 days");
    const ready = await scene.choose("moderator", insults, "Sells airdrops");
    await scene.click("moderator", ready, "Ban");
    const [row] = await cases();
    expect(row?.public_reason).toBe("Sells airdrops");
    expect(Number(row?.due_at_ms)).toBe(scene.bot.clock.now() + 30 * 86_400_000);
  });

  test("bring their length where they are typed, too, and are gone when removed", async () => {
    await scene.run("owner", "setup reasons", { add: "Spam", duration: "7d" });
    const typed = await scene.run("moderator", "ban", { user: troll, reason: "Spam" });
    expect(Object.keys(typed.buttons)).toContain("Ban");
    expect(typed.text).toContain("Until <t:");
    const removed = await scene.run("owner", "setup reasons", { remove: "Spam" });
    expect(removed.text).toContain("No reason is saved yet.");
    const asked = await scene.run("moderator", "ban", { user: troll, reason: "Spam" });
    expect(Object.keys(asked.buttons)).toContain("7 days");
  });

  test("make no ban permanent, and may last as long as anybody can write", async () => {
    const forGood = await scene.run("owner", "setup reasons", { add: "Spam", duration: "permanent" });
    expect(forGood.text).toContain("A saved reason cannot make a ban permanent.");
    await scene.run("owner", "setup reasons", { add: "Spam", duration: "1d 12h 30m 10s" });
    const asked = await scene.run("moderator", "ban", { user: troll });
    const ready = await scene.choose("moderator", asked, "Spam");
    expect(Object.keys(ready.buttons)).toContain("Ban");
  });

  test("are no more than a menu takes", async () => {
    for (let n = 1; n <= 25; n += 1) await scene.run("owner", "setup reasons", { add: `Reason ${n}` });
    expect((await scene.run("owner", "setup reasons", { add: "One more" })).text).toContain(
      "at most 25 saved reasons",
    );
    const asked = await scene.run("moderator", "ban", { user: troll });
    expect(Object.keys(asked.menu.values)).toHaveLength(25);
    expect(scene.discord.context.violations).toEqual([]);
  });
});

describe("between preview and confirm", () => {
  test("a role that was lost means nothing is done", async () => {
    const preview = await scene.run("moderator", "ban", {
      user: troll,
      duration: "permanent",
      reason: "spam",
    });
    await scene.bot.database.query.deleteFrom("network.verifications").where("fid", "=", 2).execute();
    expect((await scene.click("moderator", preview, "Ban")).text).toContain("You may not ban");
    expect(await banned()).toEqual([]);
    expect(await cases()).toEqual([]);
  });

  test("the bot's own role that was lost is said, and the rooms are told", async () => {
    const preview = await scene.run("moderator", "ban", {
      user: troll,
      duration: "permanent",
      reason: "spam",
    });
    const owner = scene.bot.net.as(people.owner);
    await owner.channelInvites.remove({ channelId: "memes", removeFid: botFid, role: "moderator" });
    expect((await scene.click("moderator", preview, "Ban")).text).toContain("does not moderate memes");
    const [event] = await scene.bot.database.query.selectFrom("castellan.events").selectAll().execute();
    expect(event).toMatchObject({ kind: "link.changed", data: { change: "bot_role_lost" } });
    const [link] = await scene.bot.database.query.selectFrom("castellan.links").selectAll().execute();
    expect(link?.bot_role_lost_at_ms).toBe(scene.bot.clock.now());
  });

  test("two moderators at once: one bans, the other reads that it was so", async () => {
    const first = await scene.run("moderator", "ban", {
      user: troll,
      duration: "permanent",
      reason: "spam",
    });
    const second = await scene.run("owner", "ban", {
      user: troll,
      duration: "permanent",
      reason: "spam",
    });
    const answers = await Promise.all([
      scene.click("moderator", first, "Ban"),
      scene.click("owner", second, "Ban"),
    ]);
    expect(answers.filter(({ text }) => text.includes("· done"))).toHaveLength(1);
    expect(answers.filter(({ text }) => text.includes("nothing to do"))).toHaveLength(1);
  });

  test("a restart changes nothing: the button still works", async () => {
    const preview = await scene.run("moderator", "ban", {
      user: troll,
      duration: "permanent",
      reason: "spam",
    });
    await scene.restart();
    expect((await scene.click("moderator", preview, "Ban")).text).toContain("· done");
  });

  test("an old button says that it is too old", async () => {
    const preview = await scene.run("moderator", "ban", {
      user: troll,
      duration: "permanent",
      reason: "spam",
    });
    scene.bot.clock.advance(15 * 60);
    expect((await scene.click("moderator", preview, "Ban")).text).toContain("too old. Nothing was done");
    expect(await cases()).toEqual([]);
  });

  test("a double click bans once, and the second click does not hide the answer to the first", async () => {
    const preview = await scene.run("moderator", "ban", {
      user: troll,
      duration: "permanent",
      reason: "spam",
    });
    const ephemeral = scene.nextMessage("already been answered");
    const done = scene.click("moderator", preview, "Ban");
    scene.clickOnly("moderator", preview, "Ban");
    expect((await done).text).toContain("· done");
    const second = await ephemeral;
    expect(second.visibleTo).toBe(scene.users.moderator);
    // Nothing went wrong, so nothing is red.
    expect(second.embeds[0]?.color).toBe(colors.muted);
    expect((await cases()).map(({ state }) => state)).toEqual(["applied"]);
  });
});

describe("/undo of a ban, and the list of bans", () => {
  test("lifts a ban after saying what does not come back", async () => {
    await ban("moderator");
    const preview = await scene.run("owner", "undo", { what: `fid ${troll}` });
    expect(preview.text).toContain("stays **restricted**");
    expect(preview.text).toContain("C-1** Ban");
    expect((await scene.click("owner", preview, "Lift the ban")).text).toContain("C-2 · Unban · done");
    const { result } = await scene.bot.network.channelRestrictedUsers.list({ channelId: "memes" });
    expect(result.restrictedUsers).toMatchObject([{ fid: people.troll }]);
  });

  test("has nothing to lift for one who is not banned", async () => {
    const seen = await scene.run("moderator", "undo", { what: `fid ${troll}` });
    expect(seen.text).toContain("is not banned");
    expect(seen.buttons).toEqual({});
  });

  test("lists with buttons, page after page and after a restart", async () => {
    for (let fid = 100; fid < 132; fid += 1) {
      await scene.bot.network.channelBans.ban({ channelId: "memes", banFid: fid });
      scene.bot.clock.advance(1);
    }
    await followLinks(scene.bot);
    await pollListings(scene.bot, "memes");
    const first = await scene.run("moderator", "who", { list: "bans" });
    expect(first.text).toContain("fid 131");
    expect(Object.keys(first.buttons)).toContain("Next");
    await scene.restart();
    const second = await scene.click("moderator", first, "Next");
    expect(second.text).toContain("fid 116");
    const third = await scene.click("moderator", second, "Next");
    expect(third.text).toContain("fid 100");
    expect(Object.keys(third.buttons)).toEqual(["C-2", "C-1", "Back"]);
    expect((await scene.click("moderator", third, "Back")).text).toBe(second.text);
  });
});
