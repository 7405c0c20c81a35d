import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { applyOpenCases } from "../../src/moderation/cases/apply.ts";
import { expireBans } from "../../src/moderation/cases/expire.ts";
import { newEvent } from "../../src/observe/events.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { resetBot, startBotInDiscord, type BotInDiscord, type Seen } from "../support/bot-in-discord.ts";
import { castRow } from "../support/rules.ts";
import { people } from "../support/world.ts";

let scene: BotInDiscord;

beforeAll(async () => {
  scene = await startBotInDiscord();
});
afterAll(() => scene.stop());
beforeEach(() => resetBot(scene));

const troll = String(people.troll);
const run = (command: string, options: Record<string, string | boolean> = {}) =>
  scene.run("moderator", command, options);

async function ban(options: Record<string, string | boolean> = {}): Promise<Seen> {
  return scene.click("moderator", await run("ban add", { user: troll, ...options }), "Ban");
}

/** A cast of the troll's, on the network and in the index. */
async function addCast(text: string): Promise<string> {
  const hash = await scene.bot.net.seed.cast({ fid: people.troll, channelId: "memes", text });
  await scene.bot.database.query.insertInto("castellan.casts").values(castRow(hash, { text })).execute();
  return hash;
}

async function hide(cast: string): Promise<Seen> {
  return scene.click("moderator", await run("hide", { cast }), "Hide");
}

const seconds = () => scene.bot.clock.now() / 1000;
const at = (time: number) => `<t:${Math.floor(time)}:R>`;
const view = async (number: string) => (await run("case view", { number })).text;

describe("until when a ban holds", () => {
  test("a shorter ban beside a longer one promises no end, and is not asked for", async () => {
    await ban();
    const preview = await run("ban add", { user: troll, duration: "15s" });
    expect(preview.text).toContain("The user is banned already, for good (C-1). That stays");
    expect(preview.buttons).toEqual({});
    expect(await view("C-1")).toContain("Now: banned, for good");
    expect((await run("ban list")).text).toContain("for good · C-1");
  });

  test("a ban that met a longer one by another moderator says what holds", async () => {
    const [short, long] = [
      await run("ban add", { user: troll, duration: "15s" }),
      await run("ban add", { user: troll, duration: "1h" }),
    ];
    await scene.click("moderator", long, "Ban");
    const end = at(seconds() + 3600);
    const done = await scene.click("moderator", short, "Ban");
    expect(done.text).toContain("C-2 · Ban · was already so");
    expect(done.text).toContain(`(${end}), by C-1`);
    expect(done.text).not.toContain(at(seconds() + 15));
    expect((await run("ban list")).text).toContain(`ends ${end} · C-1`);
    expect((await run("case list")).text).toContain(`was already so · ends ${end}, by C-1`);
  });

  test("a longer one over a shorter says when it will end now, and for good that it does not", async () => {
    await ban({ duration: "1h" });
    const longer = await run("ban add", { user: troll, duration: "7d" });
    expect(longer.text).toContain("After this: until ");
    await scene.click("moderator", longer, "Ban");
    const end = at(seconds() + 7 * 86_400);
    for (const number of ["1", "2"]) expect(await view(number)).toContain(`(${end})`);
    expect((await ban()).text).toContain("C-3 · Ban · was already so");
    for (const number of ["1", "2", "3"]) {
      expect(await view(number)).toContain("Now: banned, for good");
      expect(await view(number)).not.toContain(end);
    }
    scene.bot.clock.advance(8 * 86_400);
    expect(await expireBans(scene.bot)).toBe(0);
  });

  test("what others banned is never said to end", async () => {
    const preview = await run("ban add", { user: troll, duration: "1h" });
    await scene.bot.net.as(people.moderator).channelBans.ban({ channelId: "memes", banFid: people.troll });
    const done = await scene.click("moderator", preview, "Ban");
    expect(done.text).toContain("Now: banned, for good");
    expect((await run("ban add", { user: troll, duration: "2h" })).text).toContain(
      "banned already, for good",
    );
    scene.bot.clock.advance(3601);
    expect(await expireBans(scene.bot)).toBe(0);
  });

  test("once it is lifted, its case says so and names no end", async () => {
    await ban({ duration: "1h" });
    const end = at(seconds() + 3600);
    await scene.click("moderator", await run("ban remove", { user: troll }), "Lift the ban");
    const { text } = await run("case list");
    expect(text).toMatch(/\*\*C-1\*\* Ban .* · <t:\d+:R> · lifted since/);
    expect(text).not.toContain(end);
    expect(await view("1")).not.toContain(end);
  });
});

describe("what was done to somebody's casts", () => {
  test("is booked on them: previews, cards and lists name the author and what was said", async () => {
    const [first, second] = [await addCast("buy lamps"), await addCast("buy more lamps")];
    const done = await hide(first);
    expect(done.text).toContain("C-1 · Hide · done");
    expect(done.text).toMatch(/Whom: .*fid 7/);
    const preview = await run("hide", { cast: second });
    expect(preview.text).toContain("Earlier cases (hide ×1):\n**C-1** Hide fid 7: `buy lamps`");
    expect((await run("case list", { user: troll })).text).toContain("**C-1** Hide fid 7: `buy lamps`");
    expect((await run("ban add", { user: troll })).text).toContain("**C-1** Hide");
    expect((await run("case list", { user: "3" })).text).toContain("No cases.");
  });

  test("is booked also where others did it, or the cast was not known at the time", async () => {
    await pollHub(scene.bot);
    const hash = await scene.bot.net.seed.cast({ fid: people.troll, channelId: "memes", text: "early" });
    const hidden = { sourceKey: "record 1", kind: "record.hidden", channelId: "memes" } as const;
    await scene.bot.happen(newEvent(scene.bot.clock.now(), { ...hidden, data: { castHash: hash } }));
    expect((await run("case list", { user: troll })).text).toContain("No cases.");
    await pollHub(scene.bot);
    expect((await run("case list", { user: troll })).text).toContain("**C-1** Hide fid 7: `early`");
  });
});

describe("/ban add", () => {
  test("says of a number that nobody knows that nobody does", async () => {
    const { text } = await run("ban add", { user: "999999999999" });
    expect(text).toContain("No name and no cast of fid 999999999999 is known here");
    await addCast("gm");
    expect((await run("ban add", { user: troll })).text).not.toContain("is known here");
  });

  test("says how many casts stay beside the hundred that it hides, before and after", async () => {
    for (let index = 0; index < 103; index += 1) {
      const row = castRow(`0x${String(index).padStart(40, "0")}`, { cast_at: index });
      await scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
    }
    const preview = await run("ban add", { user: troll, hide_casts: true });
    expect(preview.text).toContain("The latest 100 of their 103 visible casts will be hidden as well");
    expect(preview.text).toContain("**3 older ones stay**");
    const done = await scene.click("moderator", preview, "Ban");
    expect(done.text).toContain("100 casts being hidden: cases C-2–C-101. **3 older ones stay**");
    await applyOpenCases(scene.bot);
  });
});
