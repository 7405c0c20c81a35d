import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { commands, menuCommands } from "../../commands/index.ts";
import { listHandlers } from "../../src/discord/find-handler.ts";
import { encodeCustomId } from "../../src/text/custom-id.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import type { Rooms } from "../../src/feed/rooms.ts";
import type { Exchange } from "../support/discord-faults.ts";
import { see, startBotInDiscord, type BotInDiscord, type Seen } from "../support/bot-in-discord.ts";
import { proposeCases } from "../../src/moderation/cases/propose.ts";
import { seedChannel } from "../support/world.ts";
import { testToken, testWorld } from "../support/discord.ts";
import { openDiscordDocument } from "../support/discord-document.ts";
import { buttons, cast, rows, type Person, type Row } from "../support/rights.ts";
import { seededOptions, seedRights, type SeededRights } from "../support/seed-rights.ts";

/*
 * Every command, button and menu in the hands of four people, through the real discord.js: what the table of rights expects
 * is what each sees in Discord, and whatever the bot sends is what Discord's document describes.
 */

/** People of the local Discord, and who they are in the table. The owner owns the server, too; the member has no role. */
const asInTable = {
  stranger: "stranger",
  member: "stranger",
  moderator: "moderator",
  owner: "managing owner",
} as const satisfies Record<string, Person>;
const people = Object.keys(asInTable) as (keyof typeof asInTable)[]; // as they are written above

let scene: BotInDiscord;
let rooms: Rooms;
let posts = 0;
let seeded: SeededRights;
let restore: () => Promise<void>;
const exchanges: Exchange[] = [];

beforeAll(async () => {
  // A role that none of them has: the one that the table's settings are given to.
  const helpers = { id: "9", name: "Helpers" };
  const guilds = testWorld.guilds.map((guild) => ({ ...guild, roles: [...guild.roles, helpers] }));
  scene = await startBotInDiscord({ guilds });
  rooms = createRooms({ token: testToken, api: scene.discord.api, onRefused: () => {} });
  scene.discord.exchanged.listen((exchange) => exchanges.push(exchange));
  const { owner, moderator } = scene.users;
  seeded = await seedRights(scene.bot, { guildId: scene.discord.guildId, owner, moderator });
  restore = await scene.bot.database.keep();
});
afterAll(() => scene.stop());
beforeEach(async () => void (await seedIfUsed()));

/** Whether somebody was let do something since: what was refused has changed nothing. */
let used = false;

async function seedIfUsed(): Promise<boolean> {
  if (!used) return false;
  used = false;
  await restore();
  // What suggestions remember of rights is older than this.
  scene.bot.clock.advance(10);
  return true;
}

const handlers = new Map(listHandlers(commands));

/** What is said to whom a right is missing. */
const refusal =
  /^(You may not|You have no text to sign|.*takes Discord's "Manage Server"|.*has verified your Discord account)/m;

/** What somebody was answered; with the whole text where it is not what the table says. */
function judge(who: keyof typeof asInTable, row: Row, { text }: Seen): string {
  const isBug = text.includes("Something went wrong") || text.includes("Discord refused");
  const verdict = isBug ? "a bug" : refusal.test(text) ? "refused" : "allowed";
  used ||= verdict !== "refused";
  const wanted = row.allowed.includes(asInTable[who]) ? "allowed" : "refused";
  return `${who}: ${verdict}${verdict === wanted ? "" : ` (${text})`}`;
}

function expected({ allowed }: Row): string[] {
  return people.map((who) => `${who}: ${allowed.includes(asInTable[who]) ? "allowed" : "refused"}`);
}

async function type(who: string, path: string): Promise<Seen> {
  const options = seededOptions(seeded, path, scene.discord.guildId);
  // Options of this table are texts, numbers and flags, as the local Discord takes them.
  const given = options as Record<string, string | number | boolean>;
  // The table names the stranger by an id of its own.
  if (given["user"] === "1005") given["user"] = "stranger";
  if (handlers.get(path)?.kind !== "form") return scene.run(who, path, given);
  const opened = scene.discord.people.slash({ user: who, room: "general", command: path, options: given });
  const outcome = await opened.outcome;
  if (outcome.kind === "message") return see(outcome.message);
  return scene.submit(who, opened, rows[path]?.typed ?? {});
}

describe.each(Object.entries(rows))("/%s", (path, row) => {
  test("shows each of four people what the table says, also after Confirm", { timeout: 60_000 }, async () => {
    const found: string[] = [];
    for (const who of people) {
      await seedIfUsed();
      const seen = await type(who, path);
      found.push(judge(who, row, seen));
      const handler = handlers.get(path);
      const label = handler && "confirmLabel" in handler ? handler.confirmLabel : "";
      if (seen.buttons[label] === undefined) continue;
      expect(judge(who, row, await scene.click(who, seen, label))).toBe(`${who}: allowed`);
    }
    expect(found).toEqual(expected(row));
  });
});

/** Chooses in the menu of a message or a person; a form that it opens is sent as it is. */
async function chooseApp(who: string, name: string, target: string, asks: boolean): Promise<Seen> {
  if (!asks) return scene.openMenu(who, name, target);
  const chosen = scene.discord.people.contextMenu({ user: who, room: "general", command: name, target });
  const outcome = await chosen.outcome;
  return outcome.kind === "message" ? see(outcome.message) : scene.submit(who, chosen, { reason: "" });
}

describe.each(menuCommands.map((menu) => ({ ...menu, row: rows[menu.path] ?? { allowed: [] } })))(
  "Apps › $name on a $on",
  ({ name, on, path, asks, row }) => {
    test(`is for whoever may use /${path}`, { timeout: 60_000 }, async () => {
      const found: string[] = [];
      for (const who of people) {
        await seedIfUsed();
        const content = `see https://x.example/${cast}`;
        const said = scene.discord.people.say({ user: "member", room: "general", content });
        const target = on === "message" ? said.id : "moderator";
        found.push(judge(who, row, await chooseApp(who, name, target, asks !== undefined)));
      }
      expect(found).toEqual(expected(row));
    });
  },
);

describe.each(Object.entries(buttons))("the button %s", (key, row) => {
  test("under a post in a room is for whom the table says", { timeout: 60_000 }, async () => {
    const [name = "", deed = ""] = key.split(" ");
    const found: string[] = [];
    let posted: Awaited<ReturnType<typeof post>> | undefined;
    for (const who of people) {
      if (await seedIfUsed()) posted = undefined;
      const tag = seeded.items.get(scene.discord.guildId)?.tag ?? "";
      const words = [name === "setup" ? "memes" : tag, deed];
      posted ??= await post(encodeCustomId({ kind: "command", command: name, words }));
      found.push(judge(who, row, await press(who, posted)));
    }
    expect(found).toEqual(expected(row));
  });
});

/** The commands that buttons under posts, cards and lists run as if they were typed. */
const runByButton = ["case show", "undo", "who", "rule explain", "hide", "ban", "list add"];

describe.each(runByButton.map((path): [string, Row] => [path, rows[path] ?? { allowed: [] }]))(
  "the button that runs /%s",
  (path, row) => {
    test("under a post in a room is for whoever may type it", { timeout: 60_000 }, async () => {
      const found: string[] = [];
      for (const who of people) {
        await seedIfUsed();
        const given = Object.entries(seededOptions(seeded, path, scene.discord.guildId));
        const options = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
        const posted = await post(encodeCustomId({ kind: "run", path, options }));
        found.push(judge(who, row, await press(who, posted)));
      }
      expect(found).toEqual(expected(row));
    });
  },
);

test("Cancel does nothing, for whoever was asked", { timeout: 60_000 }, async () => {
  for (const who of ["moderator", "owner"] as const) {
    await seedIfUsed();
    const asked = await type(who, "ban");
    expect((await scene.click(who, asked, "Cancel")).text).toBe("Cancelled. Nothing was done.");
  }
});

test("Next and Back turn the pages of a list, for whom it was made", { timeout: 60_000 }, async () => {
  used = true;
  await seedIfUsed();
  const about = { guildId: scene.discord.guildId, channelId: "memes", kind: "ban" as const };
  const bans = Array.from({ length: 15 }, (_, n) => ({
    ...about,
    targetFid: 20 + n,
    actor: { userId: "1" },
  }));
  const { database, clock } = scene.bot;
  await database.transaction((tx) => proposeCases(tx, clock, bans));
  for (const who of ["moderator", "owner"] as const) {
    const first = await scene.run(who, "case show");
    const next = await scene.click(who, first, "Next");
    expect(next.text).not.toBe(first.text);
    expect((await scene.click(who, next, "Back")).text).toBe(first.text);
  }
});

test(
  "the menu that asks which channel leads everybody to what the table says",
  { timeout: 60_000 },
  async () => {
    const found: string[] = [];
    const row = rows["case show"] ?? { allowed: [] };
    for (const who of people) {
      used = true;
      await seedIfUsed();
      await seedChannel(scene.bot, "garden", scene.discord.guildId);
      await scene.bot.database.query.deleteFrom("castellan.feeds").execute();
      const asked = await scene.run(who, "case show");
      expect(Object.keys(asked.menu.values)).toContain("/memes");
      found.push(judge(who, row, await scene.choose(who, asked, "/memes")));
    }
    expect(found).toEqual(expected(row));
  },
);

/** A post of the bot with a button of that id. */
async function post(customId: string): Promise<{ room: string; message: string; customId: string }> {
  const all = Object.values(scene.discord.rooms);
  posts += 1;
  // In turn, for Discord takes five posts in five seconds of a room.
  const room = all[posts % all.length] ?? "";
  const message = await rooms.post(room, {
    nonce: `matrix ${posts}`,
    embeds: [{ description: "A post." }],
    buttons: [[{ customId, label: "Press", style: "secondary" }]],
  });
  return { room, message, customId };
}

/** Presses its button: gives what the post becomes, or what the presser alone is told. */
function press(user: string, posted: Awaited<ReturnType<typeof post>>): Promise<Seen> {
  return new Promise((resolve) => {
    let pressed = "";
    const stop = scene.discord.context.happened.listen((event) => {
      if (event.kind !== "message" || event.message.embeds.length === 0) return;
      if (event.message.id !== posted.message && event.message.origin?.id !== pressed) return;
      stop();
      resolve(see(event.message));
    });
    pressed = scene.discord.people.click({ user, ...posted }).id;
  });
}

describe("what the bot sent", () => {
  const document = openDiscordDocument();

  test.skipIf(document)("was not held against Discord's document, which is not at hand", () => {
    expect(document).toBeUndefined();
  });

  test.runIf(document)(
    "is what Discord's document describes, without properties that it does not know",
    () => {
      expect(exchanges.length).toBeGreaterThan(500);
      const faults = exchanges.flatMap((exchange) => [
        ...(document?.request(exchange) ?? []),
        ...(document?.closedRequest(exchange) ?? []),
      ]);
      expect([...new Set(faults)]).toEqual([]);
      const posted = exchanges.find(({ body, path }) => body && path.endsWith("/messages"));
      const wrong = posted && { ...posted, body: Object.assign({ colour: 1 }, posted.body) };
      expect(wrong && document?.closedRequest(wrong)).not.toEqual([]);
    },
  );

  test("broke no rule of the local Discord", () => {
    expect(scene.discord.context.violations).toEqual([]);
    expect(scene.errors).toEqual([]);
  });
});
