import { afterAll, expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import { createConsole } from "../../src/console/create-console.ts";
import { beginSession } from "../../src/console/sessions.ts";
import { ChoiceNeeded } from "../../src/discord/choices.ts";
import type { Handler, RawValues } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { listHandlers } from "../../src/discord/find-handler.ts";
import { readArguments } from "../../src/discord/run-command.ts";
import { asAppError } from "../../src/errors.ts";
import { silentLog } from "../../src/log.ts";
import { recordStatements } from "../support/database.ts";
import { addChannels } from "../support/many-channels.ts";
import { actors } from "../support/rights.ts";
import { seededOptions, seedRights } from "../support/seed-rights.ts";
import { commandContext, createWorld } from "../support/world.ts";

/*
 * A server may be linked to hundreds of channels: no command asks the database about each of them.
 */

const maxStatements = 60;
const [few, many] = [2, 200];

const bot = await createWorld();
afterAll(() => bot.database.close());

const guildId = "90000";
const people = ["owner", "moderator"] as const;
type Who = (typeof people)[number];
type Act = (context: CommandContext) => Promise<unknown>;

const actorOf = (who: Who) => ({
  userId: "",
  guildId,
  roomId: guildId,
  roleIds: [],
  managesServer: false,
  ...actors[who],
});

/** What a command does before anybody confirms it. */
async function open(context: CommandContext, handler: Handler, raw: RawValues): Promise<unknown> {
  const args = await readArguments(context, handler.options, raw);
  if (handler.kind === "answer") return handler.run(context, args);
  if (handler.kind === "listing") return handler.page(context, args, undefined);
  return handler.kind === "confirm" ? handler.preview(context, args) : handler.open(context, args);
}

/** Every command, in /memes and without naming a channel, and what each of its options suggests. */
function listActs(seeded: Awaited<ReturnType<typeof seedRights>>): [name: string, act: Act][] {
  return listHandlers(commands).flatMap(([path, handler]): [string, Act][] => {
    const raw = seededOptions(seeded, path, guildId);
    const suggestions = Object.entries(handler.options).flatMap(([option, { suggest }]): [string, Act][] =>
      suggest ? [[`${path}, suggesting ${option}`, (context) => suggest("", context, {})]] : [],
    );
    const anywhere: Act = async (context) => {
      try {
        await open(context, handler, raw);
      } catch (error) {
        if (!(error instanceof ChoiceNeeded)) throw error;
      }
    };
    // With a channel, /who lists people; a person's card is about all channels.
    const others = path === "who" ? {} : raw;
    const inMemes: Act = (context) => open(context, handler, { channel: "memes", ...others });
    return [
      [path, anywhere],
      ...("channel" in handler.options ? [[`${path} in /memes`, inMemes] satisfies [string, Act]] : []),
      ...suggestions,
    ];
  });
}

/** Whatever the console only shows, by its routes. */
const routes = [
  "",
  "/queue",
  "/cases?channel=memes",
  "/case-filters?channel=memes",
  "/cases/memes/1",
  "/export/csv?channel=memes",
  "/bulks",
  "/read/person?user=7",
  "/read/health",
  "/read/audit",
  "/read/statistics",
  "/suggest?path=who&option=user",
  "/rules",
  "/rules/source",
  "/rules/versions",
];

async function openConsole() {
  const origin = "http://castellan.test:1";
  const enter = async (_guild: string, userId: string) =>
    commandContext(bot, { ...actorOf("owner"), userId });
  const server = createConsole(
    {
      context: commandContext(bot, actorOf("owner")),
      members: {
        applicationId: "1",
        servers: () => [{ id: guildId, name: "Garden" }],
        enter,
        look: enter,
        wasSeen: () => true,
        namesIn: async () => ({}),
        nameOf: async () => "somebody",
      },
      origin,
      application: { id: "1", secret: "", api: origin },
      authorizeUrl: origin,
    },
    silentLog,
  );
  return async (path: string, who: Who) => {
    const token = await beginSession(bot, actors[who]?.userId ?? "", undefined);
    const cookie = `castellan-session-1=${token}`;
    const url = `/console/api/servers/${guildId}${path}`;
    return recordStatements(async () => {
      const response = await server.inject({
        method: "GET",
        url,
        headers: { host: "castellan.test:1", cookie },
      });
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.body}`);
    });
  };
}

/** How many statements each sends in a server that is linked to so many channels. */
async function measure(channels: number): Promise<Map<string, number>> {
  const seeded = await seedRights(bot, { guildId, owner: "1001", moderator: "1002" });
  await addChannels(bot, guildId, channels - 1);
  const restore = await bot.database.keep();
  const ask = await openConsole();
  const sent = new Map<string, number>();
  for (const who of people) {
    for (const [name, act] of listActs(seeded)) {
      // What is suggested changes nothing.
      if (!name.includes("suggesting")) await restore();
      // What suggestions remember of rights is older than this.
      bot.clock.advance(10);
      const context = commandContext(bot, actorOf(who));
      const statements = await recordStatements(async () => {
        await act(context).catch((error: unknown) => {
          // Linking a channel takes Manage Server.
          if (!asAppError(error, "not_allowed")) throw error;
        });
      });
      sent.set(`${who}: ${name}`, statements.length);
    }
    await restore();
    for (const path of routes) {
      bot.clock.advance(10);
      sent.set(`${who}: GET ${path}`, (await ask(path, who)).length);
    }
  }
  return sent;
}

test(
  "no command sends more statements the more channels a server is linked to",
  { timeout: 1_800_000 },
  async () => {
    const [before, after] = [await measure(few), await measure(many)];
    const tooMany = [...after].filter(
      ([name, count]) => count > maxStatements || count > (before.get(name) ?? 0) + 3,
    );
    expect(tooMany).toEqual([]);
  },
);
