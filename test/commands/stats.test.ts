import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { CaseKind } from "../../src/moderation/cases/case.ts";
import { countFitting } from "../../src/moderation/cases/list-cases.ts";
import { readStatistics } from "../../src/moderation/statistics.ts";
import { takesPictures } from "../support/browser.ts";
import * as old from "../support/old-cases.ts";
import type { OldCase } from "../support/old-cases.ts";
import { createRandom } from "../support/random.ts";
import { readPng } from "../support/png.ts";
import { linkGuild, seedChannel } from "../support/world.ts";
import { caseStates } from "../../src/database/tables/case-states.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();

const day = 86_400_000;
const run = (command: string, options: Record<string, string> = {}) =>
  scene.run("moderator", command, options);
const read = () => scene.bot.database.query;

const addCase = (given: OldCase = {}) => old.addCase(scene, given);
const addReview = (...given: [ago: number, after: number | null, headId?: number]) =>
  old.addReview(scene, ...given);

const kinds: CaseKind[] = [
  "ban",
  "unban",
  "hide",
  "unhide",
  "pin",
  "unpin",
  "invite",
  "revoke_invite",
  "remove_member",
];
const states = caseStates;

describe("the numbers", () => {
  test("of random cases are those of /case show with the same filters", { timeout: 60_000 }, async () => {
    const guildId = scene.discord.guildId;
    await seedChannel(scene.bot, "garden", guildId);
    const random = createRandom(20_261_124);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T; // of a list that has some
    const rules = [null, "scam", "links"];
    const moderators = [null, scene.users.moderator, scene.users.owner];
    for (let n = 0; n < 300; n++) {
      await addCase({
        channelId: pick(["memes", "garden"]),
        kind: pick(kinds),
        state: pick(states),
        rule: pick(rules),
        moderator: pick(moderators),
        ago: Math.floor(random() * 20 * day),
      });
    }
    for (const channelIds of [["memes"], ["garden"], ["memes", "garden"]]) {
      for (const sinceMs of [0, scene.bot.clock.now() - 7 * day, scene.bot.clock.now() - 1.5 * day]) {
        const found = await readStatistics(read(), { guildId, channelIds, sinceMs });
        const listed = async (filter: Partial<Parameters<typeof countFitting>[1]>) => {
          const counts = channelIds.map((channelId) =>
            countFitting(read(), { guildId, channelId, sinceMs, ...filter }, 1000),
          );
          return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
        };
        expect(found.total).toBe(await listed({}));
        expect(found.days.reduce((sum, { count }) => sum + count, 0)).toBe(found.total);
        for (const kind of kinds) {
          expect(found.kinds.find((one) => one.kind === kind)?.count ?? 0).toBe(await listed({ kind }));
          expect(found.days.reduce((sum, one) => sum + (one.kind === kind ? one.count : 0), 0)).toBe(
            await listed({ kind }),
          );
        }
        for (const state of states) expect(found.states.get(state) ?? 0).toBe(await listed({ state }));
        for (const { ruleId, count } of found.rules) expect(count).toBe(await listed({ ruleId }));
        for (const { userId, count } of found.moderators)
          expect(count).toBe(await listed({ actorUser: userId }));
        expect(found.rules).toHaveLength(2);
        expect(found.moderators).toHaveLength(2);
        for (const { day: at, count } of found.days.slice(0, 1)) {
          const [from, until] = [Math.max(at * day, sinceMs), (at + 1) * day];
          const kind = found.days[0]?.kind;
          expect(count).toBe(await listed({ kind, sinceMs: from, untilMs: until }));
        }
      }
    }
    const said = (await run("stats", { since: "7d", channel: "memes" })).text;
    const list = (await run("case show", { since: "7d", channel: "memes", action: "hide" })).text;
    expect(list).toContain(`${/Hide: (\d+)/.exec(said)?.[1]} cases`);
    const whole = (await run("case show", { since: "7d", channel: "memes" })).text;
    expect(whole).toContain(`${/\*\*(\d+) cases\*\*/.exec(said)?.[1]} cases`);
  });

  test("name in words what people brought, which is no rule", async () => {
    await addCase({ kind: "hide", rule: "scam" });
    await addCase({ kind: "hide", rule: "@reports" });
    await addCase({ kind: "unhide", rule: "@appeals" });
    const { text } = await run("stats");
    const [, listed = ""] = /By rule, report or appeal\n([^]*)By moderator/.exec(text) ?? [];
    expect(listed.trim().split("\n").toSorted()).toEqual(["Appeals: 1", "Member reports: 1", "`scam`: 1"]);
  });

  test("of undone cases leave out expired bans and pins", async () => {
    for (let n = 0; n < 7; n++) await addCase({ moderator: "5" });
    await addCase({ state: "reverted", moderator: "5" });
    await addCase({ state: "reverted", moderator: "5", hasExpired: true });
    await addCase({ kind: "change_expiry", state: "reverted", moderator: "5", hasExpired: true });
    await addCase({ kind: "pin", state: "reverted" });
    await addCase({ state: "failed" });
    const { text } = await run("stats");
    expect(text).toContain("1 of 10 that took effect have been undone (10 %)");
    expect(text).toContain("Of these: 1 failed.");
  });

  test("of reviews are the median and what nine of ten stay below; a matter in two channels counts once", async () => {
    for (let minutes = 1; minutes <= 9; minutes++) await addReview(day, minutes * 60_000);
    const head = await addReview(day, 60 * 60_000);
    await addReview(day, 60 * 60_000, head);
    await addReview(40 * day, 9 * day);
    await addReview(2 * 3600_000, null);
    await addReview(3600_000, null);
    const { text } = await run("stats");
    // Of 1, 2, … 9 and 60 minutes.
    expect(text).toContain("10 reviews decided, half of them within 6 min, nine of ten within 14 min.");
    expect(text).toMatch(/2 reviews wait; the oldest came <t:\d+:R>\./);
  });
});

describe("the picture", () => {
  const pictureOf = async (options: Record<string, string> = {}) => {
    const { message } = await run("stats", options);
    const [file] = message.attachments;
    const bytes = scene.discord.context.world.files.get(file?.id ?? "");
    return { file, png: readPng(bytes ?? Buffer.from("")) };
  };

  test("is dark or light, and says in words what it shows", { timeout: 60_000 }, async () => {
    await addCase({ kind: "hide", rule: "scam" });
    await addCase({ moderator: scene.users.moderator, ago: 3 * day });
    const { file, png } = await pictureOf();
    expect(file).toMatchObject({ filename: "statistics.png", contentType: "image/png" });
    expect(file?.description).toMatch(/^Statistics of \/memes, .*: 2 cases by day \(Ban 1, Hide 1\)/);
    expect(png).toMatchObject({ width: 1200, height: 1440 });
    expect(png.pixel(3, 3)).toBe("#313338");
    expect((await pictureOf({ theme: "light" })).png.pixel(3, 3)).toBe("#ffffff");
    await addCase({ kind: "hide", rule: "scam", ago: 5 * day });
    expect((await pictureOf()).png.pixels.equals(png.pixels)).toBe(false);
  });

  test("is not sent where there is nothing, which is said", async () => {
    const { text, message } = await run("stats", { since: "7d" });
    expect(text).toMatch(/^Nothing was done in \/memes since <t:\d+:f>, so there is nothing to draw\.$/);
    expect(message.attachments).toEqual([]);
    await addReview(3600_000, null);
    expect((await run("stats")).text).toContain("1 review waits");
  });

  test("that cannot be drawn leaves the numbers, and says so", async () => {
    await addCase({ kind: "hide", rule: "scam" });
    const close = async () => {};
    await scene.restart({ drawer: { draw: () => Promise.reject(new Error("it died")), close } });
    const { text, message } = await run("stats");
    expect(text).toContain("The picture could not be drawn, but the numbers are correct.");
    expect(text).toContain("`scam`: 1");
    expect(message.attachments).toEqual([]);
    await scene.restart();
  });

  test("is drawn of seven years as of one day", { timeout: 60_000 }, async () => {
    await addCase({ ago: 2500 * day });
    await addCase({ kind: "hide" });
    const long = await run("stats", { since: "2500d" });
    expect(long.text).toContain("By 30 days, from (UTC)");
    expect(long.message.attachments).toHaveLength(1);
    expect((await run("stats", { since: "1h" })).message.attachments).toHaveLength(1);
    expect((await run("stats", { since: "1970-01-01" })).text).toContain("**2 cases**");
  });
});

test("people who may view one of two channels see the numbers of that one", async () => {
  const { guildId } = scene.discord;
  await scene.bot.net.seed.channel("garden", { owner: 3 });
  await linkGuild(scene.bot, "garden", guildId);
  await addCase();
  await addCase({ channelId: "garden", kind: "pin" });
  const { text } = await run("stats");
  expect(text).toContain("**1 case** in /memes since");
  expect((await run("stats", { channel: "garden" })).text).toContain("You may not view");
  expect((await scene.run("stranger", "stats")).text).toContain("You may not view");
});

test.runIf(takesPictures)("the pictures of the documentation", { timeout: 60_000 }, async () => {
  const random = createRandom(7);
  const often: CaseKind[] = [
    "hide",
    "hide",
    "hide",
    "hide",
    "ban",
    "ban",
    "unhide",
    "unban",
    "pin",
    "invite",
  ];
  const rules = ["scam-links", "scam-links", "scam-links", "impostor-names", "duplicates", "flood"];
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T; // of a list that has some
  for (let n = 0; n < 420; n++) {
    const byRule = random() < 0.6;
    await addCase({
      kind: byRule ? pick(["hide", "hide", "ban"]) : pick(often),
      state: random() < 0.05 ? "reverted" : "applied",
      rule: byRule ? pick(rules) : null,
      moderator: byRule ? null : pick([scene.users.moderator, scene.users.moderator, scene.users.owner]),
      ago: Math.floor(30 * day * random() ** 1.3),
    });
  }
  for (let n = 0; n < 40; n++) await addReview(day * 20 * random(), n < 3 ? null : 3600_000 * random());
  for (const theme of ["dark", "light"]) {
    const { message } = await run("stats", { theme });
    const bytes = scene.discord.context.world.files.get(message.attachments[0]?.id ?? "") ?? Buffer.from("");
    expect(readPng(bytes).width).toBe(1200);
    await writeFile(`docs/pictures/stats-${theme}.png`, bytes);
  }
});
