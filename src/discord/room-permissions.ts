import { PermissionFlagsBits, type Channel, type Guild, type PermissionsBitField } from "discord.js";

type Held = Readonly<PermissionsBitField> | null | undefined;
/** A permission with its name in Discord's settings. */
type Named = readonly [name: string, flag: bigint];

const seeing: Named = ["View Channel", PermissionFlagsBits.ViewChannel];
const writing: Named = ["Send Messages", PermissionFlagsBits.SendMessages];
const writingInThreads: Named = ["Send Messages in Threads", PermissionFlagsBits.SendMessagesInThreads];
const embedding: Named = ["Embed Links", PermissionFlagsBits.EmbedLinks];
const reading: Named = ["Read Message History", PermissionFlagsBits.ReadMessageHistory];

const posting = [seeing, writing, writingInThreads];
const postingEmbeds = [...posting, embedding];
/** Required for a feed, which searches for its posts after a crash. */
const feeding = [...postingEmbeds, reading];
const mentioningAll: Named = ["Mention @everyone, @here, and All Roles", PermissionFlagsBits.MentionEveryone];
const needs = { posting, postingEmbeds, feeding };

/** The permissions to request from a server's owner, as bits: enough for a feed in any room or thread. */
export const feedingPermissions = feeding.reduce((bits, [, flag]) => bits | flag, 0n);

/** The kind of a room. It is unknown for an archived thread, which Discord does not report. */
export type RoomKind = "room" | "thread" | "unknown";

export function kindOfRoom(room: Channel | null | undefined): RoomKind {
  if (!room) return "unknown";
  return room.isThread() ? "thread" : "room";
}

/** The missing permissions, by their names in Discord's settings. Writing in threads has its own permission. */
export function findMissing(held: Held, kind: RoomKind, purpose: keyof typeof needs): string[] {
  const other = { room: writingInThreads, thread: writing, unknown: undefined }[kind];
  return needs[purpose]
    .filter((needed) => needed !== other)
    .filter(([, flag]) => !held?.has(flag))
    .map(([name]) => name);
}

/** Why a mention of a role notifies nobody, and how to fix it, for people. */
export interface SilentMention {
  why: string;
  fix: string;
}

/**
 * Discord notifies a role's members if the role is mentionable, or if the bot may mention all roles in that room.
 * Returns undefined if it does, or if the bot's permissions are unknown. Without a role: the server no longer has it.
 */
export function explainSilentMention(
  held: Held,
  role: { mentionable: boolean } | undefined,
): SilentMention | undefined {
  if (!role) {
    return {
      why: "that role no longer exists",
      fix: "Choose another role with /feed room, or turn the mention off with its option no_mention.",
    };
  }
  const [name, flag] = mentioningAll;
  if (role.mentionable || !held || held.has(flag)) return undefined;
  return {
    why: "that role is not mentionable",
    fix: `In the role's settings, turn on "Allow anyone to @mention this role", or give Castellan "${name}" in that room.`,
  };
}

/** The bot's own permissions in a room, from the gateway's roles and overwrites; undefined if they are unknown. */
export function ownPermissions(guild: Guild, roomId: string): Held {
  const room = guild.channels.cache.get(roomId);
  const me = guild.members.me;
  return room && me ? room.permissionsFor(me) : undefined;
}
