import type { CommandBody } from "../shapes/command.ts";
import type { Component } from "../shapes/component.ts";
import type { Embed } from "../shapes/embed.ts";

export interface User {
  id: string;
  username: string;
  displayName: string;
  bot: boolean;
}

export interface Role {
  id: string;
  name: string;
  /** Permission bits in decimal, as Discord writes them. */
  permissions: string;
  color: number;
  position: number;
}

export interface Member {
  userId: string;
  roleIds: string[];
}

export interface Thread {
  /** The room that it hangs on; what the bot is denied there, it is denied here. */
  parentId: string;
  archived: boolean;
  locked: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
}

export interface Room {
  id: string;
  /** A text room unless said. */
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
}

export interface Guild {
  id: string;
  name: string;
  ownerId: string;
  roles: Role[];
  members: Member[];
}

export interface Attachment {
  id: string;
  filename: string;
  contentType: string;
  description: string | null;
  size: number;
}

/** How a message came from an interaction. */
export interface MessageOrigin {
  id: string;
  type: number;
  userId: string;
  name: string | null;
  /** The message whose component was used. */
  interactedMessageId?: string;
  /** Of a form: what the bot answered with it. */
  opener?: MessageOrigin;
  /** Of a follow-up: the first answer. */
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
  /** The only person who sees it, for an ephemeral message. */
  visibleTo: string | null;
}

export type Command = CommandBody & { id: string; version: string };

/** Where commands live: one guild, or all of them. */
export type CommandScope = string;
export const globalScope: CommandScope = "global";

/** Everything that outlives a restart, as one change after the other. */
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
