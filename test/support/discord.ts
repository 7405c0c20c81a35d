import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PermissionFlagsBits } from "discord-api-types/v10";
import { Client, Events, GatewayIntentBits, type ClientOptions, type Interaction } from "discord.js";
import { systemClock, type Clock } from "../../src/clock.ts";
import { AppError } from "../../src/errors.ts";
import type { PostedMessage, RoomMessage, Rooms } from "../../src/feed/rooms.ts";
import { silentLog } from "../../src/log.ts";
import { startDiscord, type Discord, type DiscordOptions } from "../../src/sandbox/discord/start-discord.ts";
import { createFaults, interceptRest, type Exchange, type Faults } from "./discord-faults.ts";
import { createListeners, type Listeners } from "../../src/sandbox/discord/state.ts";
import { createDiscordControls, type DiscordControls } from "./discord-controls.ts";

export const testToken = "test-bot-token";

/** People, roles and rooms that suit most tests. */
export const testWorld = {
  people: [
    { username: "owner", displayName: "Olga Owner" },
    { username: "moderator", displayName: "Mona Moderator", roles: ["Moderator"] },
    { username: "member", displayName: "Milo Member" },
    { username: "stranger", displayName: "Sam Stranger" },
  ],
  guilds: [
    {
      name: "Test Guild",
      owner: "owner",
      // Else Discord itself would keep most people from most commands, before Castellan is asked.
      opensCommands: true,
      roles: [
        {
          name: "Moderator",
          permissions: PermissionFlagsBits.ModerateMembers | PermissionFlagsBits.ManageMessages,
        },
      ],
      rooms: [{ name: "general" }, { name: "mod-log" }, { name: "feed" }],
    },
  ],
} satisfies Pick<DiscordOptions, "people" | "guilds">;

export interface TestDiscord extends Discord, DiscordControls {
  guildId: string;
  /** Room ids by name. */
  rooms: Record<"general" | "mod-log" | "feed", string>;
  /** Where it keeps its state; starting again with it goes on where the first ended. */
  file: string;
  faults: Faults;
  /** Each of the bot's requests with its response. */
  exchanged: Listeners<Exchange>;
  /** Stops it and leaves its file, for another start. */
  stopServer: () => Promise<void>;
}

/** A local Discord on a free port with owner, moderator, member and stranger; stops and cleans up by `stop()`. */
export async function startTestDiscord(options: Partial<DiscordOptions> = {}): Promise<TestDiscord> {
  const directory = options.file === undefined ? await mkdtemp(join(tmpdir(), "castellan-discord-")) : null;
  const file = options.file ?? join(directory ?? "", "discord.jsonl");
  const clock = options.clock ?? systemClock;
  const faults = createFaults();
  const exchanged = createListeners<Exchange>();
  const discord = await startDiscord({
    host: "127.0.0.1",
    port: 0,
    token: testToken,
    clock,
    log: silentLog,
    restHooks: (api) => interceptRest(api, faults, exchanged, clock),
    ...testWorld,
    ...options,
    file,
  });
  const roomId = (name: string) =>
    [...discord.context.world.rooms.values()].find((room) => room.name === name)?.id ?? "";
  return {
    ...discord,
    ...createDiscordControls(discord.context),
    file,
    faults,
    exchanged,
    stopServer: discord.stop,
    guildId: discord.context.world.guilds.keys().next().value ?? "",
    rooms: { general: roomId("general"), "mod-log": roomId("mod-log"), feed: roomId("feed") },
    async stop() {
      await discord.stop();
      if (directory) await rm(directory, { recursive: true });
    },
  };
}

/** The real discord.js, set as our bot is; `answer` gets every interaction. */
export function createDiscordClient(
  discord: Pick<TestDiscord, "api">,
  answer: (interaction: Interaction) => Promise<unknown> = async () => {},
  options: Partial<ClientOptions> = {},
): Client {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds],
    allowedMentions: { parse: [] },
    enforceNonce: true,
    ...options,
    rest: { api: discord.api, version: "10", ...options.rest },
  });
  client.on(Events.InteractionCreate, (interaction) => void answer(interaction).catch(() => {}));
  return client;
}

export async function logIn(client: Client, token = testToken): Promise<void> {
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(token);
  await ready;
}

export interface RawAnswer {
  status: number;
  // Whatever Discord says: tests look into it.
  body: { code?: number; message?: string; errors?: unknown; id?: string };
  headers: Headers;
}

/** Sends a request as discord.js would, but with any body: builders would refuse the wrong ones before they leave. */
export async function sendRaw(
  discord: Pick<TestDiscord, "api">,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const response = await fetch(`${discord.api}/v10${path}`, {
    method,
    headers: {
      authorization: `Bot ${testToken}`,
      "user-agent": "DiscordBot (https://example.org, 1.0)",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // The stand-in answers with JSON objects or nothing.
  return {
    status: response.status,
    body: text ? (JSON.parse(text) as RawAnswer["body"]) : {},
    headers: response.headers,
  };
}

/** What goes wrong with the next posts, one by one. */
export type Fault = "lost_answer" | "unreachable" | "gone" | "refused";

export interface StrictRooms extends Rooms {
  /** What stands in a room, oldest first. */
  shown(roomId: string): PostedMessage[];
  /** The event numbers in a room, in the order in which they are read. */
  numbers(roomId: string): string[];
  faults: Fault[];
  /** Footers of embeds that are refused whenever they come. */
  refuse: Set<string>;
  posts: number;
}

const nonceMemoryMs = 5 * 60_000;

/** Rooms as the port promises them and no kinder: nonces are remembered for minutes, limits are enforced. */
export function createStrictRooms(clock: Clock): StrictRooms {
  const rooms = new Map<string, PostedMessage[]>();
  const nonces = new Map<string, { id: string; at: number }>();
  const faults: Fault[] = [];
  const refuse = new Set<string>();
  let lastId = 0;
  const open = (roomId: string) => {
    const room = rooms.get(roomId) ?? [];
    rooms.set(roomId, room);
    return room;
  };

  const strict: StrictRooms = {
    faults,
    refuse,
    posts: 0,
    shown: (roomId) => rooms.get(roomId) ?? [],
    numbers: (roomId) => open(roomId).flatMap(({ embeds }) => embeds.map((embed) => embed.footer ?? "")),

    async post(roomId, message) {
      strict.posts += 1;
      await Promise.resolve();
      const fault = faults.shift();
      if (fault === "unreachable") throw new Error("ECONNRESET");
      if (fault === "gone") throw new AppError("room_unavailable", "Unknown Channel");
      if (fault === "refused") throw new AppError("message_refused", "Invalid Form Body");
      checkMessage(message, refuse);
      const known = nonces.get(`${roomId} ${message.nonce}`);
      if (known && known.at > clock.now() - nonceMemoryMs) return known.id;
      lastId += 1;
      const id = String(lastId);
      nonces.set(`${roomId} ${message.nonce}`, { id, at: clock.now() });
      open(roomId).push({ id, embeds: structuredClone(message.embeds) });
      if (fault === "lost_answer") throw new Error("socket hang up");
      return id;
    },
    resetAfter: () => 0,
    openDirect: async (userId) => `direct ${userId}`,
    async edit(roomId, messageId, message) {
      await Promise.resolve();
      checkMessage(message, refuse);
      const posted = open(roomId).find(({ id }) => id === messageId);
      if (!posted) throw new AppError("room_unavailable", "Unknown Message");
      posted.embeds = structuredClone(message.embeds);
    },
    async recent(roomId) {
      await Promise.resolve();
      return open(roomId).toReversed().slice(0, 100);
    },
    async find(roomId, _since, fits) {
      await Promise.resolve();
      return open(roomId).findLast(fits);
    },
  };
  return strict;
}

function checkMessage({ nonce, embeds }: RoomMessage, refuse: ReadonlySet<string>): void {
  const total = embeds.reduce((sum, { title = "", description = "", footer = "" }) => {
    if (title.length > 256 || description.length > 4096) throw new AppError("message_refused", "too long");
    return sum + title.length + description.length + footer.length;
  }, 0);
  const wrong = nonce.length > 25 || embeds.length === 0 || embeds.length > 10 || total > 6000;
  if (wrong || embeds.some(({ footer }) => refuse.has(footer ?? ""))) {
    throw new AppError("message_refused", "Invalid Form Body");
  }
}
