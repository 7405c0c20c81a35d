import { ComponentType } from "discord.js";
import { commands, menuCommands } from "../../commands/index.ts";
import { connectDiscord, type DiscordConnection } from "../../src/discord/connect.ts";
import type { DispatchSettings } from "../../src/discord/dispatch.ts";
import { createMembers, type Members } from "../../src/discord/members.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import type { GivenOptions } from "../../src/sandbox/discord/actions/fill-options.ts";
import type { Interaction } from "../../src/sandbox/discord/interactions/interactions.ts";
import type { Discord, DiscordOptions } from "../../src/sandbox/discord/start-discord.ts";
import type { Message } from "../../src/sandbox/discord/world/world.ts";
import { createServerChanges } from "../../src/start/server-changes.ts";
import { startTestDiscord, testToken, type TestDiscord } from "./discord.ts";
import { createWorld, seedChannel, verifyDiscord, type World } from "./world.ts";

type BotChanges = Partial<World & Pick<DispatchSettings, "formTimeoutMs" | "processes" | "isReady">>;

export interface BotInDiscord extends Chat {
  bot: World;
  discord: TestDiscord;
  /** Discord user ids. */
  users: Record<"owner" | "moderator" | "member" | "stranger", string>;
  errors: Error[];
  /** The people of its servers, as the bot that runs now knows them. */
  members(this: void): Members;
  /** Ends the bot and starts it anew on the same database; `changes` to its context stay. */
  restart(changes?: BotChanges): Promise<void>;
  /** Ends the bot alone. */
  disconnect(): Promise<void>;
  stop(): Promise<void>;
}

/** The bot with the real discord.js in the local Discord, on the embedded network. */
export async function startBotInDiscord(options: Partial<DiscordOptions> = {}): Promise<BotInDiscord> {
  const bot = await createWorld();
  // Nobody here waits for a room: what Discord's limits do is tried where it matters.
  const discord = await startTestDiscord({ roomLimit: 1_000, ...options });
  const errors: Error[] = [];
  let connection: DiscordConnection | undefined;
  let members: Members | undefined;

  async function connect(changes: BotChanges = {}): Promise<void> {
    const settings = {
      token: testToken,
      api: discord.api,
      onRefused: (error: Error) => void errors.push(error),
      servers: createServerChanges({ ...bot, ...changes }),
    };
    const rooms = createRooms(settings);
    // The local Discord waits, however busy the machine is.
    const context = { formTimeoutMs: 120_000, ...bot, ...changes, rooms };
    connection = await connectDiscord({ ...context, commands, menuCommands }, settings);
    members = createMembers(connection.client, context);
  }

  await connect();
  const idOf = (name: string) =>
    [...discord.context.world.users.values()].find(({ username }) => username === name)?.id ?? "";
  return {
    bot,
    discord,
    users: {
      owner: idOf("owner"),
      moderator: idOf("moderator"),
      member: idOf("member"),
      stranger: idOf("stranger"),
    },
    errors,
    members() {
      if (members) return members;
      throw new Error("the bot is not connected");
    },
    ...createChat(discord),
    async restart(changes) {
      await connection?.close();
      await connect(changes);
    },
    async disconnect() {
      await connection?.close();
      connection = undefined;
    },
    async stop() {
      await connection?.close();
      await discord.stop();
      await bot.database.close();
    },
  };
}

/** An empty database again, with the channel memes linked to the test server by its owner, whose account is verified. */
export async function resetBot({ bot, discord, users }: BotInDiscord): Promise<void> {
  await bot.database.truncate();
  await seedChannel(bot, "memes", discord.guildId);
  await bot.database.query.updateTable("castellan.links").set({ linked_by: users.owner }).execute();
  await verifyDiscord(bot, 1, users.owner);
  await verifyDiscord(bot, 2, users.moderator);
  discord.faults.clear();
  discord.context.violations.length = 0;
}

/** What a person sees of an answer. */
export interface Seen {
  message: Message;
  /** Titles, descriptions, fields and footers of all embeds, and the content. */
  text: string;
  /** Custom ids of the buttons by their labels. */
  buttons: Record<string, string>;
  /** The menu's options by their labels, with its custom id. */
  menu: { customId: string; values: Record<string, string> };
}

/** People who type in a local Discord and read what they get. */
export interface Chat {
  /** Types a command and waits for its answer. */
  run(user: string, command: string, options?: GivenOptions, room?: string): Promise<Seen>;
  /** Clicks a button and waits for what the message becomes. */
  click(user: string, seen: Seen, label: string): Promise<Seen>;
  clickOnly(user: string, seen: Seen, label: string): void;
  /** Presses a button that answers with a message of its own, and waits for that. */
  ask(user: string, seen: Seen, label: string): Promise<Seen>;
  /** Chooses in the menu of a message, and waits for what the message becomes. */
  choose(user: string, seen: Seen, label: string): Promise<Seen>;
  /** Opens the menu of a message or a person, chooses a command there and waits for its answer. */
  openMenu(user: string, command: string, target: string, room?: string): Promise<Seen>;
  /** Sends the form that an interaction was answered with, and waits for the answer. */
  submit(user: string, opened: Interaction, fields: Record<string, string>, room?: string): Promise<Seen>;
  /** Presses a button that opens a form, sends that, and waits for what the message becomes. */
  fill(user: string, seen: Seen, label: string, fields: Record<string, string>): Promise<Seen>;
  /** The next message, by anyone, that contains this text. */
  nextMessage(text: string): Promise<Message>;
}

export function createChat({ context, people }: Pick<Discord, "context" | "people">): Chat {
  function answerTo(interactionId: string): Promise<Message> {
    return new Promise((resolve, reject) => {
      const stop = context.happened.listen((event) => {
        if (
          event.kind === "interaction" &&
          event.interactionId === interactionId &&
          event.state === "failed"
        ) {
          stop();
          reject(new Error("The application did not respond"));
        }
        // A deferred answer stands there empty before it is filled.
        if (event.kind !== "message" || (event.message.embeds.length === 0 && event.message.content === ""))
          return;
        if (event.message.origin?.id !== interactionId) return;
        stop();
        resolve(event.message);
      });
    });
  }

  function nextMessage(fits: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const stop = context.happened.listen((event) => {
        if (event.kind !== "message" || !fits(event.message)) return;
        stop();
        resolve(event.message);
      });
    });
  }

  function clickOnly(user: string, { message, buttons }: Seen, label: string): void {
    const customId = buttons[label];
    if (!customId) throw new Error(`no button ${label} among ${Object.keys(buttons).join(", ")}`);
    people.click({ user, room: message.roomId, message: message.id, customId });
  }

  return {
    clickOnly,
    async run(user, command, options = {}, room = "general") {
      const { id } = people.slash({ user, room, command, options });
      return see(await answerTo(id));
    },
    async click(user, seen, label) {
      const updated = nextMessage(({ id }) => id === seen.message.id);
      clickOnly(user, seen, label);
      return see(await updated);
    },
    async ask(user, { message, buttons }, label) {
      const customId = buttons[label];
      if (!customId) throw new Error(`no button ${label} among ${Object.keys(buttons).join(", ")}`);
      const { id } = people.click({ user, room: message.roomId, message: message.id, customId });
      return see(await answerTo(id));
    },
    async choose(user, { message, menu }, label) {
      const value = menu.values[label];
      if (value === undefined) throw new Error(`no ${label} among ${Object.keys(menu.values).join(", ")}`);
      const updated = nextMessage(({ id }) => id === message.id);
      const { customId } = menu;
      people.select({ user, room: message.roomId, message: message.id, customId, values: [value] });
      return see(await updated);
    },
    async openMenu(user, command, target, room = "general") {
      const { id } = people.contextMenu({ user, room, command, target });
      return see(await answerTo(id));
    },
    async submit(user, opened, fields, room = "general") {
      const { id } = await people.submitModal({ user, room, opened, fields });
      return see(await answerTo(id));
    },
    async fill(user, { message, buttons }, label, fields) {
      const customId = buttons[label] ?? "";
      const opened = people.click({ user, room: message.roomId, message: message.id, customId });
      const updated = nextMessage(({ id }) => id === message.id);
      await people.submitModal({ user, room: message.roomId, opened, fields });
      return see(await updated);
    },
    nextMessage: (text) => nextMessage((message) => see(message).text.includes(text)),
  };
}

export function see(message: Message): Seen {
  const texts = message.embeds.flatMap(({ title, description, fields, footer }) => [
    title,
    description,
    ...(fields ?? []).flatMap(({ name, value }) => [name, value]),
    footer?.text,
  ]);
  const buttons: Record<string, string> = {};
  const menu: Seen["menu"] = { customId: "", values: {} };
  for (const row of message.components) {
    if (row.type !== ComponentType.ActionRow) continue;
    for (const button of row.components) {
      if (button.type === ComponentType.Button && "custom_id" in button)
        buttons[button.label ?? ""] = button.custom_id ?? "";
      if (button.type !== ComponentType.StringSelect) continue;
      menu.customId = button.custom_id;
      for (const { label, value } of button.options) menu.values[label] = value;
    }
  }
  return {
    message,
    text: readMentions([message.content, ...texts].filter(Boolean).join("\n")),
    buttons,
    menu,
  };
}

/** A mention of a command reads as the command. */
function readMentions(text: string): string {
  return text.replace(/<\/([a-z]+(?: [a-z]+)?):\d+>/g, "/$1");
}
