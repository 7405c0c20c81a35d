import { describe, expect, test } from "vitest";
import { createRooms } from "../../src/discord/rooms.ts";
import { giveCapabilities, type Capability } from "../../src/moderation/capabilities.ts";
import { people } from "../support/world.ts";
import { see, type Seen } from "../support/bot-in-discord.ts";
import { addCasts } from "../support/casts.ts";
import { testToken } from "../support/discord.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();

const troll = String(people.troll);

/** Waits until the answer says this, for it may tell first how far it is. */
async function until(user: string, preview: Seen, label: string, text: string): Promise<Seen> {
  const told = scene.nextMessage(text);
  scene.clickOnly(user, preview, label);
  return see(await told);
}

async function act(
  user: string,
  command: string,
  options: Record<string, string | number | boolean>,
  label: string,
) {
  return scene.click(user, await scene.run(user, command, options), label);
}

function cases() {
  return scene.bot.database.query.selectFrom("castellan.cases").selectAll().orderBy("id").execute();
}

async function states(): Promise<string[]> {
  return (await cases()).map(({ kind, state }) => `${kind} ${state}`);
}

async function isHidden(hash: string): Promise<boolean> {
  return (await scene.bot.net.api.operator.readCast({ hash })).hiddenByModeration;
}

async function isBanned(): Promise<boolean> {
  const { result } = await scene.bot.network.channelBans.list({ channelId: "memes", fid: people.troll });
  return result.bannedUsers.length > 0;
}

async function banAndHide(): Promise<void> {
  const preview = await scene.run("moderator", "ban", {
    user: troll,
    hide_casts: true,
    duration: "permanent",
    reason: "spam",
  });
  await until("moderator", preview, "Ban", "memes · done");
}

async function give(...capabilities: Capability[]): Promise<void> {
  const grant = {
    guildId: scene.discord.guildId,
    channelId: "memes",
    roleId: scene.discord.guildId,
    capabilities,
  };
  await scene.bot.database.transaction((tx) => giveCapabilities(tx, grant));
}

describe("/undo of several cases", () => {
  test("is one bulk that lifts the ban and shows the casts again, and says what each part does", async () => {
    const [first = "", second = ""] = await addCasts(scene.bot, 2, { fid: people.troll });
    await banAndHide();
    const preview = await scene.run("moderator", "undo", { what: "C-1 C-2, 3" });
    expect(preview.text).toContain("Undo 3 cases in /memes?");
    expect(preview.text).toContain("**C-1** Ban fid 7");
    expect(preview.text).toContain("2 casts show again.");
    expect(preview.text).toContain("1 ban is lifted");
    const done = await until("moderator", preview, "Undo all of them", "memes · done");
    expect(done.text).toContain("B-2 · Undo · memes · done");
    expect(await states()).toEqual([
      "ban reverted",
      "hide reverted",
      "hide reverted",
      "unban applied",
      "unhide applied",
      "unhide applied",
    ]);
    expect([await isBanned(), await isHidden(first), await isHidden(second)]).toEqual([false, false, false]);
    expect((await scene.run("moderator", "undo", { what: "C-1 C-2" })).text).toContain(
      "Nothing of these cases can be undone",
    );
  });

  test("leaves out what somebody undid before the click, and says so", async () => {
    await addCasts(scene.bot, 1, { fid: people.troll });
    await banAndHide();
    const preview = await scene.run("moderator", "undo", { what: "C-1 C-2" });
    await act("moderator", "undo", { what: "C-1" }, "Undo");
    const again = await scene.run("moderator", "undo", { what: "C-1 C-2" });
    expect(again.text).toContain("Undo 1 case in /memes?");
    expect(again.text).toContain("**1 case stays unchanged:**\n**C-1** Ban");
    const done = await until("moderator", preview, "Undo all of them", "memes · done");
    expect(done.text).toContain("**1 cast shown again**");
    expect(await isBanned()).toBe(false);
  });

  test("needs the rights to undo each of them, and every case to be in the channel", async () => {
    await addCasts(scene.bot, 1, { fid: people.troll });
    await banAndHide();
    await give("ban", "undo");
    expect((await scene.run("stranger", "undo", { what: "C-1 C-2" })).text).toContain("You may not hide");
    expect((await scene.run("moderator", "undo", { what: "C-1 C-9" })).text).toContain(
      "There is no case C-9 in /memes.",
    );
    expect(await states()).toEqual(["ban applied", "hide applied"]);
  });
});

describe("/undo of a case", () => {
  test("tells what comes back and what does not, and takes it back after the click", async () => {
    await act("moderator", "ban", { user: troll, duration: "permanent", reason: "spam" }, "Ban");
    const preview = await scene.run("moderator", "undo", { what: "1", reason: "a mistake" });
    expect(preview.text).toContain("Undo case C-1 in /memes?");
    expect(preview.text).toContain("1 ban is lifted: the replies show again");
    expect(preview.text).toContain("does not bring back:** roles and invites");
    expect(await isBanned()).toBe(true);
    expect((await scene.click("moderator", preview, "Undo")).text).toContain("C-2 · Unban · done");
    expect(await isBanned()).toBe(false);
    expect(await states()).toEqual(["ban reverted", "unban applied"]);
    expect(scene.discord.context.violations).toEqual([]);
  });

  test("what was undone can be undone again: the ban lasts as long as it would have", async () => {
    await act("moderator", "ban", { user: troll, duration: "2h" }, "Ban");
    await act("moderator", "undo", { what: "1" }, "Undo");
    scene.bot.clock.advance(3600);
    const preview = await scene.run("moderator", "undo", { what: "2" });
    expect(preview.text).toContain("1 user is banned again");
    expect(preview.text).toContain(
      `It ends at its original time, <t:${scene.bot.clock.now() / 1000 + 3600}:f>`,
    );
    await scene.click("moderator", preview, "Undo");
    expect(await isBanned()).toBe(true);
    expect(await states()).toEqual(["ban reverted", "unban reverted", "ban applied"]);
    const [, , again] = await cases();
    expect(again?.due_at_ms).toBe(scene.bot.clock.now() + 3600_000);
    scene.bot.clock.advance(3601);
    await act("moderator", "undo", { what: "3" }, "Undo");
    expect((await scene.run("moderator", "undo", { what: "4" })).text).toContain(
      "Nothing of case C-4 can be undone: the ban that it lifted would have expired.",
    );
  });

  test("what another case holds as it is stays so, and the answer says which", async () => {
    const [cast = ""] = await addCasts(scene.bot, 1, { fid: people.troll });
    await act("moderator", "hide", { cast }, "Hide");
    await act("owner", "hide", { cast }, "Hide");
    expect((await scene.run("moderator", "undo", { what: "1" })).text).toContain(
      "can be undone: case C-2 did the same, and that is still in force (/undo with the cast shows it again, no matter who hid it).",
    );
    expect((await scene.run("owner", "undo", { what: "2" })).text).toContain("already in that state");
    expect(await isHidden(cast)).toBe(true);
  });

  test("somebody who does the same between preview and confirm is heeded", async () => {
    const [cast = ""] = await addCasts(scene.bot, 1, { fid: people.troll });
    await act("moderator", "hide", { cast }, "Hide");
    const preview = await scene.run("moderator", "undo", { what: "1" });
    await act("owner", "hide", { cast }, "Hide");
    expect((await scene.click("moderator", preview, "Undo")).text).toContain(
      "case C-2 did the same, and that is still in force",
    );
    expect(await isHidden(cast)).toBe(true);
  });

  test("who was banned again since is not promised another ban", async () => {
    await act("moderator", "ban", { user: troll, duration: "permanent", reason: "spam" }, "Ban");
    await act("moderator", "undo", { what: `fid ${troll}` }, "Lift the ban");
    await act("moderator", "ban", { user: troll, duration: "permanent", reason: "spam" }, "Ban");
    expect((await scene.run("moderator", "undo", { what: "2" })).text).toContain(
      "Nothing of case C-2 can be undone: case C-3 has banned them again since.",
    );
  });

  test("ignores repeated actions on another target", async () => {
    const [cast = "", other = ""] = await addCasts(scene.bot, 2, { fid: people.troll });
    await act("moderator", "hide", { cast: other }, "Hide");
    await scene.run("moderator", "undo", { what: other });
    await act("moderator", "hide", { cast: other }, "Hide");
    const { query } = scene.bot.database;
    // As the network's records claim them.
    await query
      .updateTable("castellan.cases")
      .set((cases) => ({ event_id: cases.ref("id") }))
      .execute();
    await act("moderator", "hide", { cast }, "Hide");
    const preview = await scene.run("moderator", "undo", { what: "4" });
    expect((await scene.click("moderator", preview, "Undo")).text).toContain("C-5 · Unhide · done");
    expect(await isHidden(cast)).toBe(false);
  });

  test.each([
    ["that failed", "failed", "it failed, so there is nothing to undo"],
    ["that is under way", "requested", "it is not settled yet"],
    ["that was undone", "reverted", "it was undone since"],
  ] as const)("a case %s is refused in words", async (_, state, why) => {
    await act("moderator", "ban", { user: troll, duration: "permanent", reason: "spam" }, "Ban");
    await scene.bot.database.query.updateTable("castellan.cases").set({ state }).execute();
    expect((await scene.run("moderator", "undo", { what: "1" })).text).toContain(why);
  });

  test("what others did takes the right to undo it, besides the right to the deed itself", async () => {
    const [cast = ""] = await addCasts(scene.bot, 1, { fid: people.troll });
    await give("hide");
    await act("moderator", "hide", { cast }, "Hide");
    expect((await scene.run("stranger", "undo", { what: "1" })).text).toContain(
      "You may not undo other people's actions",
    );
    await give("undo");
    const preview = await scene.run("stranger", "undo", { what: "1" });
    await scene.bot.database.query
      .deleteFrom("castellan.capabilities")
      .where("capability", "=", "hide")
      .execute();
    expect((await scene.click("stranger", preview, "Undo")).text).toContain("You may not hide casts");
    expect(await isHidden(cast)).toBe(true);
  });

  test("what is one's own takes no right over others", async () => {
    const [cast = ""] = await addCasts(scene.bot, 1, { fid: people.troll });
    await give("hide");
    await act("stranger", "hide", { cast }, "Hide");
    await act("stranger", "undo", { what: "1" }, "Undo");
    expect(await isHidden(cast)).toBe(false);
  });
});

describe("/undo of a bulk", () => {
  test("takes back all that a ban hid, tells what stays, and can be undone again", async () => {
    const casts = await addCasts(scene.bot, 30, { fid: people.troll });
    const [first = "", second = ""] = casts;
    await banAndHide();
    await scene.run("moderator", "undo", { what: first });
    await scene.bot.database.query
      .updateTable("castellan.casts")
      .set({ removed_at: 1 })
      .where("hash", "=", second)
      .execute();
    const preview = await scene.run("moderator", "undo", { what: "B-1" });
    expect(preview.text).toContain("28 casts show again.");
    expect(preview.text).toContain("2 cases stay unchanged");
    expect(preview.text).toContain("it was undone since");
    expect(preview.text).toContain("the cast was removed by its author");
    const done = await until("moderator", preview, "Undo all of it", "· done");
    expect(done.text).toContain("B-2 · Undo · memes · done\n**28 casts shown again**");
    expect(await Promise.all(casts.map(isHidden))).toEqual(casts.map((hash) => hash === second));
    const shown = await scene.run("moderator", "case show", { number: "B-1" });
    expect(shown.text).toContain("30 casts hidden, 29 undone since");
    expect(shown.text).toContain("Partly undone by B-2.");
    const next = await scene.run("moderator", "undo", { what: "B-2" });
    const again = await until("moderator", next, "Undo all of it", "· done");
    expect(again.text).toContain("B-3 · Undo · memes · done\n**28 casts hidden**");
    expect((await Promise.all(casts.map(isHidden))).filter(Boolean)).toHaveLength(29);
    const list = await scene.run("moderator", "case show", { bulks: true });
    expect(list.text).toMatch(/B-3[\s\S]*B-2[\s\S]*B-1/);
    expect(Object.keys(list.buttons)).toEqual(["B-3", "B-2", "B-1"]);
    expect((await scene.ask("moderator", list, "B-2")).text).toContain("B-2 · ");
    expect(scene.discord.context.violations).toEqual([]);
  });

  test("that two confirm brings each target back once", async () => {
    await addCasts(scene.bot, 30, { fid: people.troll });
    await banAndHide();
    const first = await scene.run("moderator", "undo", { what: "B-1" });
    const second = await scene.run("owner", "undo", { what: "B-1" });
    await until("moderator", first, "Undo all of it", "30 casts shown again");
    await until("owner", second, "Undo all of it", "Nothing of it can be undone: it was undone since.");
    expect(
      (await cases()).filter(({ kind, state }) => kind === "unhide" && state === "applied"),
    ).toHaveLength(30);
  });

  test("stops it while it is under way, and undoes what it did only then", async () => {
    await addCasts(scene.bot, 2, { fid: people.troll });
    await banAndHide();
    await scene.bot.database.query.updateTable("castellan.bulks").set({ ended_at_ms: null }).execute();
    const stopped = await scene.run("moderator", "undo", { what: "B-1" });
    expect(stopped.text).toContain("B-1 · Hide · memes · stopped");
    expect((await cases()).filter(({ kind }) => kind === "unhide")).toEqual([]);
    expect((await scene.ask("moderator", stopped, "Undo")).text).toContain("2 casts show again.");
  });

  test("of another server's bulk tells nothing", async () => {
    await addCasts(scene.bot, 2, { fid: people.troll });
    await banAndHide();
    await scene.bot.database.query.updateTable("castellan.bulks").set({ guild_id: "elsewhere" }).execute();
    expect((await scene.run("moderator", "case show", { number: "B-1" })).text).toContain(
      "There is no bulk B-1",
    );
    expect((await scene.run("moderator", "undo", { what: "B-1" })).text).toContain("There is no bulk B-1");
  });
});

describe("/undo of what has no number of a case", () => {
  test("opens a decided review again, after it has shown what that does", async () => {
    const [cast = ""] = await addCasts(scene.bot, 1, { fid: people.troll });
    await scene.run("member", "report", { cast, reason: "rude" });
    await act("moderator", "review decide", { decision: "hide", reviews: "R-1" }, "Hide");
    expect(await isHidden(cast)).toBe(true);
    expect((await scene.run("stranger", "undo", { what: "R-1" })).text).toContain("You may not");
    const preview = await scene.run("moderator", "undo", { what: "R-1" });
    expect(preview.text).toContain("opens the review again");
    expect(await isHidden(cast)).toBe(true);
    await scene.click("moderator", preview, "Undo");
    expect(await isHidden(cast)).toBe(false);
    expect((await scene.run("moderator", "undo", { what: "R-1" })).text).toContain(
      "is still open, so there is nothing",
    );
  });

  test("says where a time or a reason does not belong", async () => {
    expect((await scene.run("moderator", "undo", { what: "C-1", since: "1h" })).text).toContain(
      "is only for a rule",
    );
    expect((await scene.run("moderator", "undo", { what: "S-1", reason: "why" })).text).toContain(
      "without a reason",
    );
    expect((await scene.run("moderator", "undo", { what: "E-1" })).text).toContain("the number of an event");
  });

  test("a button of a post from before asks the same", async () => {
    await act("moderator", "ban", { user: troll, duration: "permanent", reason: "spam" }, "Ban");
    const rooms = createRooms({ token: testToken, api: scene.discord.api, onRefused: () => {} });
    const customId = "run:case undo:number=1:channel=memes";
    const posted = scene.nextMessage("An old post.");
    await rooms.post(scene.discord.rooms.general, {
      nonce: "old",
      embeds: [{ description: "An old post." }],
      buttons: [[{ customId, label: "Undo", style: "secondary" }]],
    });
    const again = await scene.ask("moderator", see(await posted), "Undo");
    expect(again.text).toContain("Undo case C-1 in /memes?");
  });
});
