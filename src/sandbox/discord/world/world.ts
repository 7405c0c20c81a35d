import type { CommandBody } from "../shapes/command.ts";
import type { Component } from "../shapes/component.ts";
import type { Embed } from "../shapes/message.ts";
import { compareIds } from "../snowflake.ts";

export interface User {
  id: string;
  username: string;
  displayName: string;
  bot: boolean;
  /** The language of their Discord app; "en-US" by default. */
  locale?: string;
}

export interface Role {
  id: string;
  name: string;
  /** Permission bits in decimal, in Discord's form. */
  permissions: string;
  color: number;
  position: number;
  /** Whether anyone can mention it; false by default, as in Discord. */
  mentionable?: boolean;
}

export interface Member {
  userId: string;
  roleIds: string[];
}

export interface Thread {
  /** The parent room. Its denied permissions are also denied here. */
  parentId: string;
  archived: boolean;
  locked: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
}

export interface Room {
  id: string;
  /** A text room by default. */
  type?: number;
  thread?: Thread;
  /** Null for a direct room with one person. */
  guildId: string | null;
  recipientId: string | null;
  name: string;
  topic: string;
  position: number;
  /** Permission bits that the bot is denied here, in decimal. */
  botDenied: string;
  /** Seconds between two of the bot's messages, if slow mode applies to it. */
  slowMode?: number;
}

export interface Guild {
  id: string;
  name: string;
  ownerId: string;
  roles: Role[];
  members: Member[];
  /** Words that AutoMod blocks. */
  blockedWords?: string[];
  /** Who can use commands, in addition to the commands' own permissions: the server's settings under Integrations. */
  commandAccess?: CommandAccess[];
}

/** One line under Integrations. */
export interface CommandAccess {
  /** A role (including everybody's) or a user. */
  holderId: string;
  /** The command's name; without it the line applies to all commands. */
  command?: string;
  isAllowed: boolean;
}

export interface Attachment {
  id: string;
  filename: string;
  contentType: string;
  description: string | null;
  size: number;
}

/** The link from a message to its interaction. */
export interface MessageOrigin {
  id: string;
  type: number;
  userId: string;
  name: string | null;
  /** The message whose component was used. */
  interactedMessageId?: string;
  /** For a form: the bot's response that opened it. */
  opener?: MessageOrigin;
  /** For a follow-up: the first response. */
  originalId?: string;
}

export interface Message {
  id: string;
  roomId: string;
  authorId: string;
  type: number;
  content: string;
  embeds: Embed[];
  components: Component[];
  attachments: Attachment[];
  flags: number;
  /** Milliseconds since 1970. */
  createdAt: number;
  editedAt: number | null;
  mentionedUserIds: string[];
  mentionedRoleIds: string[];
  mentionsEveryone: boolean;
  nonce: string | number | null;
  origin: MessageOrigin | null;
  replyTo: string | null;
  /** The only reader of an ephemeral message. */
  visibleTo: string | null;
}

export type Command = CommandBody & { id: string; version: string };

/** The scope of commands: one guild, or all of them. */
export type CommandScope = string;
export const globalScope: CommandScope = "global";

/** All persistent state, as a sequence of changes. */
export type Change =
  | { kind: "boot"; number: number; applicationId: string }
  | { kind: "user"; user: User }
  | { kind: "guild"; guild: Guild }
  | { kind: "room"; room: Room }
  | { kind: "room_removed"; roomId: string }
  | { kind: "message"; message: Message }
  | { kind: "message_removed"; roomId: string; messageId: string }
  | { kind: "commands"; scope: CommandScope; commands: Command[] }
  | { kind: "file"; id: string; base64: string };

export interface World {
  boot: number;
  applicationId: string;
  users: Map<string, User>;
  guilds: Map<string, Guild>;
  rooms: Map<string, Room>;
  /** By room, oldest first. */
  messages: Map<string, Message[]>;
  commands: Map<CommandScope, Command[]>;
  /** Contents of attachments by attachment id. */
  files: Map<string, Buffer>;
}

export function emptyWorld(): World {
  return {
    boot: 0,
    applicationId: "0",
    users: new Map(),
    guilds: new Map(),
    rooms: new Map(),
    messages: new Map(),
    commands: new Map(),
    files: new Map(),
  };
}

/** Maximum number of messages stored per room (the newest), because the sandbox may run for weeks. */
const maxMessages = 10_000;

/** Applies one change to the world. */
export function applyChange(world: World, change: Change): void {
  switch (change.kind) {
    case "boot":
      world.boot = change.number;
      world.applicationId = change.applicationId;
      return;
    case "user":
      world.users.set(change.user.id, change.user);
      return;
    case "guild":
      world.guilds.set(change.guild.id, change.guild);
      return;
    case "room":
      world.rooms.set(change.room.id, change.room);
      return;
    case "room_removed":
      world.rooms.delete(change.roomId);
      world.messages.delete(change.roomId);
      return;
    case "message":
      putMessage(world, change.message);
      return;
    case "message_removed":
      removeMessage(world, change.roomId, change.messageId);
      return;
    case "commands":
      world.commands.set(change.scope, change.commands);
      return;
    case "file":
      world.files.set(change.id, Buffer.from(change.base64, "base64"));
  }
}

export function findMessage(world: World, roomId: string, messageId: string): Message | undefined {
  const messages = world.messages.get(roomId) ?? [];
  const message = messages[firstNotBefore(messages, messageId)];
  return message?.id === messageId ? message : undefined;
}

/** Index of the first message whose id is not smaller; the length if there is none. */
export function firstNotBefore(messages: readonly Message[], id: string): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = messages[middle];
    if (candidate && compareIds(candidate.id, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function putMessage(world: World, message: Message): void {
  const messages = world.messages.get(message.roomId) ?? [];
  world.messages.set(message.roomId, messages);
  const index = firstNotBefore(messages, message.id);
  messages.splice(index, messages[index]?.id === message.id ? 1 : 0, message);
  for (const old of messages.splice(0, messages.length - maxMessages)) forgetFiles(world, old);
}

function removeMessage(world: World, roomId: string, messageId: string): void {
  const messages = world.messages.get(roomId) ?? [];
  const index = firstNotBefore(messages, messageId);
  const message = messages[index];
  if (message?.id !== messageId) return;
  messages.splice(index, 1);
  forgetFiles(world, message);
}

function forgetFiles(world: World, message: Message): void {
  for (const attachment of message.attachments) world.files.delete(attachment.id);
}
