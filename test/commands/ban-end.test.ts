import { describe, expect, test } from "vitest";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { expireBans } from "../../src/moderation/cases/expire.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { newEvent } from "../../src/observe/events.ts";
import { type Seen } from "../support/bot-in-discord.ts";
import { castRow } from "../support/rules.ts";
import { people } from "../support/world.ts";
import { useBotInDiscord } from "../support/scenes.ts";
import { proposeByRule } from "../support/jobs.ts";

const scene = await useBotInDiscord();

const troll = String(people.troll);
const run = (command: string, options: Record<string, string | boolean> = {}) =>
  scene.run("moderator", command, options);

async function ban(options: Record<string, string | boolean> = {}): Promise<Seen> {
  return scene.click(
    "moderator",
    await run("ban", { user: troll, duration: "permanent", reason: "spam", ...options }),
    "Ban",
  );
}

/** A cast of the troll's, on the network and in the index. */
async function addCast(text: string): Promise<string> {
  const hash = await scene.bot.net.seed.cast({ fid: people.troll, channelId: "memes", text });
  await scene.bot.database.query.insertInto("castellan.casts").values(castRow(hash, { text })).execute();
  return hash;
}

const change = (preview: Seen) => scene.click("moderator", preview, "Change the end");

let events = 0;

async function banByRule(forSeconds: number | null) {
  const { bot } = scene;
  const { guildId } = scene.discord;
  const action = { kind: "ban" as const, fid: people.troll, reason: null, forSeconds };
  events += 1;
  await applyCase(bot, await proposeByRule(bot, action, { guildId, eventId: events, ruleId: `r${events}` }));
}

const lengths = { "90s": 90_000, "7d": 7 * 86_400_000 };
const ends = (ms: number) => `<t:${Math.floor(ms / 1000)}:f>`;
const seconds = () => scene.bot.clock.now() / 1000;
const at = (time: number) => `<t:${Math.floor(time)}:R>`;
const view = async (number: string) => (await run("case show", { number })).text;

describe("until when a ban holds", () => {
  test.each([
    ["shorter", "7d", "90s"],
    ["longer", "90s", "7d"],
  ] as const)(
    "a %s one for somebody banned changes the end, by a case that says so and can be undone",
    async (_how, first, then) => {
      await ban({ duration: first });
      const before = ends(scene.bot.clock.now() + lengths[first]);
      const preview = await run("ban", { user: troll, duration: then, reason: "thought again" });
      const after = ends(scene.bot.clock.now() + lengths[then]);
      expect(preview.text).toContain(`Now: banned, until ${before}`);
      expect(preview.text).toContain(`Then: until ${after}`);
      expect(Object.keys(preview.buttons)).toContain("Change the end");
      expect(Object.keys(preview.buttons)).not.toContain("Ban");
      const done = await scene.click("moderator", preview, "Change the end");
      expect(done.text).toContain("C-2 · Expiry change · done");
      expect(done.text).toContain(`The ban lasts until ${after}; before, until ${before}.`);
      expect(done.text).toContain("Reason: thought again");
      expect(await view("C-1")).toContain(`ends ${after}`);
      const undo = await run("undo", { what: "C-2" });
      expect(undo.text).toContain(`1 ban ends as before.\nIt ends at its original time, ${before}`);
      await scene.click("moderator", undo, "Undo");
      expect(await view("C-1")).toContain(`ends ${before}`);
      expect(await view("C-2")).toContain("changed or lifted since");
      await scene.click("moderator", await run("undo", { what: "C-3" }), "Undo");
      expect(await view("C-1")).toContain(`ends ${after}`);
    },
  );

  test("a ban for good gets an end, and undone is for good again", async () => {
    await ban();
    await change(await run("ban", { user: troll, duration: "90s" }));
    expect(await view("C-1")).toContain(`ends ${ends(scene.bot.clock.now() + 90_000)}`);
    await scene.click("moderator", await run("undo", { what: "C-2" }), "Undo");
    scene.bot.clock.advance(91);
    expect(await expireBans(scene.bot)).toBe(0);
    expect(await view("C-1")).toMatch(/As of <t:\d+:R>: banned, permanently/);
  });

  test("a change of the end is no change where the user is not banned any more, or the end is over", async () => {
    await ban({ duration: "1h" });
    await change(await run("ban", { user: troll, duration: "7d" }));
    const late = await run("ban", { user: troll, duration: "2d" });
    scene.bot.clock.advance(3601);
    expect((await run("undo", { what: "C-2" })).text).toContain("the expiry that it changed has passed");
    await scene.bot.net
      .as(people.moderator)
      .channelBans.unban({ channelId: "memes", unbanFid: people.troll });
    scene.bot.clock.advance(-3000);
    expect((await scene.click("moderator", late, "Change the end")).text).toContain(
      "Nothing was changed: the user is no longer banned.",
    );
  });

  test("the same again has nothing to confirm; casts to hide still are", async () => {
    await ban();
    const again = await run("ban", { user: troll, duration: "permanent", reason: "spam" });
    expect(again.text).toContain("The user is banned already, permanently (C-1).");
    expect(again.buttons).toEqual({});
    await addCast("gm");
    const hiding = await run("ban", {
      user: troll,
      hide_casts: true,
      duration: "permanent",
      reason: "spam",
    });
    expect(Object.keys(hiding.buttons)).toContain("Hide the casts");
    expect((await scene.click("moderator", hiding, "Hide the casts")).text).toContain("1 cast hidden");
  });

  test("a rule's longer ban is a change of the end, too; a shorter one changes nothing", async () => {
    await ban({ duration: "1h" });
    await banByRule(60);
    expect(await view("C-2")).toContain("C-2 · Ban · nothing to do");
    await banByRule(null);
    expect(await view("C-3")).toContain("C-3 · Expiry change · done");
    expect(await view("C-1")).toMatch(/As of <t:\d+:R>: banned, permanently/);
    await scene.click("moderator", await run("undo", { what: "C-3" }), "Undo");
    expect(await view("C-1")).toContain(`ends ${ends(scene.bot.clock.now() + 3600_000)}`);
  });

  test("a ban that met a longer one by another moderator says what holds", async () => {
    const [short, long] = [
      await run("ban", { user: troll, duration: "90s" }),
      await run("ban", { user: troll, duration: "1h" }),
    ];
    await scene.click("moderator", long, "Ban");
    const end = at(seconds() + 3600);
    const done = await scene.click("moderator", short, "Ban");
    expect(done.text).toContain("C-2 · Ban · nothing to do");
    expect(done.text).toContain(`(${end}), by C-1`);
    expect(done.text).not.toContain(at(seconds() + 90));
    await followLinks(scene.bot);
    await pollListings(scene.bot, "memes");
    expect((await run("who", { list: "bans" })).text).toContain(`ends ${end} · C-1`);
    expect((await run("case show")).text).toContain(`nothing to do · ends ${end}, by C-1`);
  });

  test("a longer ban replaces the end of a shorter one, and a permanent one removes it", async () => {
    await ban({ duration: "1h" });
    const longer = await run("ban", { user: troll, duration: "7d" });
    await change(longer);
    const end = at(seconds() + 7 * 86_400);
    for (const number of ["1", "2"]) expect(await view(number)).toContain(`(${end})`);
    await change(await run("ban", { user: troll, duration: "permanent", reason: "spam" }));
    for (const number of ["1", "3"]) {
      expect(await view(number)).toMatch(/As of <t:\d+:R>: banned, permanently/);
      expect(await view(number)).not.toContain(end);
    }
    scene.bot.clock.advance(8 * 86_400);
    expect(await expireBans(scene.bot)).toBe(0);
  });

  test("what others banned is not said to end, before somebody says when", async () => {
    const preview = await run("ban", { user: troll, duration: "1h" });
    await scene.bot.net.as(people.moderator).channelBans.ban({ channelId: "memes", banFid: people.troll });
    const done = await scene.click("moderator", preview, "Ban");
    expect(done.text).toMatch(/As of <t:\d+:R>: banned, permanently/);
    scene.bot.clock.advance(3601);
    expect(await expireBans(scene.bot)).toBe(0);
    await change(await run("ban", { user: troll, duration: "2h" }));
    scene.bot.clock.advance(7201);
    expect(await expireBans(scene.bot)).toBe(1);
  });

  test.each([
    ["ban", { user: troll, duration: "59s" }],
    ["ban", { text: "gm", duration: "1s" }],
    ["case edit", { number: "C-1", duration: "30s" }],
  ])("is a minute from now at the soonest: /%s refuses what is less", async (command, options) => {
    await ban();
    const seen = await run(command, options);
    expect(seen.text).toContain("Too short. A ban lasts at least 1 minute. /ban with `restrict` lifts it");
    expect(seen.buttons).toEqual({});
    expect((await run("ban", { user: troll, duration: "1m" })).buttons).not.toEqual({});
  });

  test("is left as it is where somebody else has changed it since the question", async () => {
    await ban({ duration: "1d" });
    const asked = await run("ban", { user: troll, duration: "7d" });
    const another = await run("case edit", { number: "C-1", duration: "7d" });
    const forGood = { user: troll, duration: "permanent", reason: "threats" };
    await scene.click("owner", await scene.run("owner", "ban", forGood), "Change the end");
    const says = "Somebody else has changed when this ban ends, so nothing was done.";
    expect((await change(asked)).text).toContain(says);
    expect((await change(another)).text).toContain(says);
    expect((await run("who", { user: troll })).text).not.toContain("until <t:");
  });

  test("is left as it is while somebody else's change is under way", async () => {
    await ban({ duration: "1d" });
    const asked = await run("ban", { user: troll, duration: "7d" });
    const { bot, discord } = scene;
    const theirs = { kind: "change_expiry" as const, targetFid: people.troll, actor: { userId: "5" } };
    const proposal = { ...theirs, guildId: discord.guildId, channelId: "memes", forSeconds: 60 };
    await bot.database.transaction((tx) => proposeCase(tx, bot.clock, proposal));
    expect((await change(asked)).text).toContain("Somebody else has changed when this ban ends");
  });

  test("keeps the reason of the ban where its end was changed since", async () => {
    await ban({ reason: "spam", duration: "1h" });
    await change(await run("ban", { user: troll, duration: "2h" }));
    await followLinks(scene.bot);
    await pollListings(scene.bot, "memes");
    const list = await run("who", { list: "bans" });
    expect(list.text).toMatch(/C-2 · spam/);
    expect((await scene.ask("moderator", list, "C-2")).text).toContain("C-2 · ");
  });

  test("once its time is over, its cases say that, and nobody is said to have undone it or lifted it", async () => {
    await ban({ duration: "1h" });
    await change(await run("ban", { user: troll, duration: "2h" }));
    scene.bot.clock.advance(7201);
    expect(await expireBans(scene.bot)).toBe(1);
    const { text } = await run("case show");
    expect(text).toMatch(/\*\*C-1\*\* Ban .* · expired/);
    expect(text).toMatch(/\*\*C-2\*\* Expiry change .* · expired/);
    expect(text).not.toContain("since");
    expect(await view("1")).toContain("**Expired.** At the time: Banned");
    const undo = (await run("undo", { what: "C-1" })).text;
    expect(undo).toMatch(/it expired <t:\d+:f>, case C-3/);
    expect(undo).not.toContain("undone since");
    const stats = (await run("stats")).text;
    expect(stats).toContain("0 of 3 that took effect have been undone");
    expect(stats).toContain(`<@${scene.users.moderator}>: 2`);
    const own = (await run("case show", { moderator: scene.users.moderator })).text;
    expect(own).toContain("C-1");
    expect(own).toContain("C-2");
    expect(own).not.toContain("C-3");
  });

  test("once it is lifted, its case says by whom, names no end, and each case names the other", async () => {
    await ban({ duration: "1h" });
    const end = at(seconds() + 3600);
    await scene.click("moderator", await run("undo", { what: `fid ${troll}` }), "Lift the ban");
    const { text } = await run("case show");
    expect(text).toMatch(/\*\*C-1\*\* Ban .* · <t:\d+:R> · lifted since/);
    expect(text).not.toContain(end);
    const lifted = await view("1");
    expect(lifted).not.toContain(end);
    expect(lifted).toMatch(
      new RegExp(
        `\\*\\*Lifted by <@${scene.users.moderator}>, C-2, <t:\\d+:R>\\.\\*\\* At the time: Banned: while the ban lasts`,
      ),
    );
    expect(await view("2")).toContain("Ended: C-1");
  });
});

describe("/case edit", () => {
  const changeTo = async (number: string, duration: string) =>
    change(await run("case edit", { number, duration }));
  const isBanned = async () => {
    const { result } = await scene.bot.network.channelBans.list({ channelId: "memes", fid: people.troll });
    return result.bannedUsers.length > 0;
  };

  test("shortens, lengthens and makes permanent, and the ban ends just then", async () => {
    await ban();
    expect((await changeTo("C-1", "1h")).text).toContain(`(${at(seconds() + 3600)})`);
    expect((await changeTo("C-1", "permanent")).text).toMatch(/As of <t:\d+:R>: banned, permanently/);
    scene.bot.clock.advance(7200);
    expect(await expireBans(scene.bot)).toBe(0);
    const seen = await changeTo("c-1", "2d");
    expect(seen.text).toContain(`(${at(seconds() + 2 * 86_400)})`);
    expect(seen.text).toContain("; before, permanently.");
    scene.bot.clock.advance(2 * 86_400 - 1);
    expect(await expireBans(scene.bot)).toBe(0);
    scene.bot.clock.advance(2);
    expect(await expireBans(scene.bot)).toBe(1);
    expect(await isBanned()).toBe(false);
  });

  test("ends the ban also where several cases keep it up", async () => {
    await ban({ duration: "1h" });
    await change(await run("ban", { user: troll, duration: "7d" }));
    expect((await changeTo("1", "10m")).text).toContain(`ends <t:${Math.floor(seconds() + 600)}:f>`);
    scene.bot.clock.advance(601);
    expect(await expireBans(scene.bot)).toBe(1);
    expect(await isBanned()).toBe(false);
    expect((await run("case edit", { number: "1", duration: "1h" })).text).toContain("is not in force");
  });

  test("lets a ban of others end, once somebody says so", async () => {
    await scene.bot.net.as(people.moderator).channelBans.ban({ channelId: "memes", banFid: people.troll });
    const banned = {
      sourceKey: "ban 1",
      kind: "user.banned",
      channelId: "memes",
      subjectFid: people.troll,
    } as const;
    await scene.bot.happen(newEvent(scene.bot.clock.now(), { ...banned, data: { at: 1 } }));
    await changeTo("1", "1h");
    scene.bot.clock.advance(3601);
    expect(await expireBans(scene.bot)).toBe(1);
    expect(await isBanned()).toBe(false);
  });

  test("is not for strangers, other actions, or what nobody banned", async () => {
    await ban();
    const asked = { number: "1", duration: "1h" };
    expect((await scene.run("stranger", "case edit", asked)).text).toContain("You may not");
    await scene.click("moderator", await run("hide", { cast: await addCast("gm") }), "Hide");
    expect((await run("case edit", { number: "2", duration: "1h" })).text).toContain("C-2 is not a ban");
    expect((await run("case edit", { number: "1", duration: "soon" })).text).toContain(
      "`soon` is not a duration.",
    );
  });
});
