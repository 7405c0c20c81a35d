import { PermissionFlagsBits } from "discord-api-types/v10";
import type { Guild, Room, World } from "./world.ts";

/** Discord's name for a permission: "SendMessages". */
export type PermissionName = keyof typeof PermissionFlagsBits;

export const allPermissions = (1n << 52n) - 1n;

/** A member's permissions everywhere in a guild. */
export function memberPermissions(guild: Guild, userId: string): bigint {
  if (guild.ownerId === userId) return allPermissions;
  const roleIds = guild.members.find((member) => member.userId === userId)?.roleIds ?? [];
  const granted = guild.roles
    .filter((role) => role.id === guild.id || roleIds.includes(role.id))
    .reduce((bits, role) => bits | BigInt(role.permissions), 0n);
  return granted & PermissionFlagsBits.Administrator ? allPermissions : granted;
}

/** Whether the bot was invited to a guild and not kicked since. */
export function botIsIn(world: World, guildId: string): boolean {
  return world.guilds.get(guildId)?.members.some(({ userId }) => userId === world.applicationId) ?? false;
}

/** The bot's permissions in a room: its roles' permissions without those denied in the room. */
export function botPermissions(world: World, room: Room): bigint {
  const guild = room.guildId === null ? undefined : world.guilds.get(room.guildId);
  if (!guild) return allPermissions;
  if (!botIsIn(world, guild.id)) return 0n;
  const { botDenied } = world.rooms.get(room.thread?.parentId ?? "") ?? room;
  const granted = memberPermissions(guild, world.applicationId) & ~BigInt(botDenied);
  return granted & PermissionFlagsBits.ViewChannel ? granted : 0n;
}

/** The roles that this author's message can notify in a room, and whether it can notify everyone. */
export function notifiable(world: World, roomId: string, authorId: string) {
  const room = world.rooms.get(roomId);
  const guild = world.guilds.get(room?.guildId ?? "");
  if (!room || !guild) return { roleIds: new Set<string>(), everyone: false };
  const held =
    authorId === world.applicationId ? botPermissions(world, room) : memberPermissions(guild, authorId);
  const everyone = (held & PermissionFlagsBits.MentionEveryone) !== 0n;
  const roles = guild.roles.filter(({ mentionable = false }) => everyone || mentionable);
  return { roleIds: new Set(roles.map(({ id }) => id)), everyone };
}

export function botMay(world: World, room: Room, name: PermissionName): boolean {
  return (botPermissions(world, room) & PermissionFlagsBits[name]) !== 0n;
}
