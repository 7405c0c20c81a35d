import type { Fault } from "../rules/language/explain-issue.ts";
import { compareRoomWith } from "./compare-config.ts";
import { everyone, type ServerConfig } from "./config-file.ts";
import type { StoredConfig } from "./read-config.ts";

/** What an import reads from Discord. Throws `discord_unreachable`, and `not_found` for a server without the bot. */
export interface DiscordIds {
  /** The bot's missing permissions in a room; undefined if the server has no such room, or Castellan cannot see it. */
  lacksIn(guildId: string, roomId: string): Promise<string[] | undefined>;
  hasRole(guildId: string, roleId: string): Promise<boolean>;
  isUser(userId: string): Promise<boolean>;
}

/** A place in a file that names something at Discord. */
interface Named {
  id: string;
  path: Fault["path"];
}

/**
 * Roles, rooms and users that Castellan cannot use. Discord is asked only about those that the file adds, because people may
 * have deleted others since they were set up.
 */
export async function findUnusable(
  discord: DiscordIds,
  guildId: string,
  stored: StoredConfig,
  config: ServerConfig,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const refuse = ({ path }: Named, message: string) => faults.push({ path, message, at: undefined });
  // One after the other, so that an outage of Discord ends it at once.
  for (const room of listRooms(stored, config)) {
    const lacks = await discord.lacksIn(guildId, room.id);
    if (!lacks) refuse(room, "is not a room of this server in which Castellan can post");
    else if (lacks.length > 0) refuse(room, `is a room in which Castellan lacks ${lacks.join(", ")}`);
  }
  for (const role of listRoles(guildId, stored, config)) {
    if (!(await discord.hasRole(guildId, role.id))) refuse(role, "is not a role of this server");
  }
  for (const user of listUsers(stored, config)) {
    if (!(await discord.isUser(user.id))) refuse(user, "is not a user of Discord");
  }
  return faults;
}

/** Rooms that get a feed or other settings. */
function listRooms(stored: StoredConfig, { rooms = [] }: ServerConfig): Named[] {
  return rooms.flatMap((room, index) => {
    const { added, settled } = compareRoomWith(stored, room);
    if (added.length + settled.length === 0) return [];
    return [{ id: room.roomId, path: ["rooms", index, "room"] }];
  });
}

function listRoles(guildId: string, stored: StoredConfig, config: ServerConfig): Named[] {
  const { channels = [], rooms = [] } = config;
  const known = new Set([
    everyone,
    guildId,
    ...stored.channels.flatMap(({ roles }) => roles.map(({ roleId }) => roleId)),
    ...[...stored.roomSettings.values()].flatMap(({ mention }) => mention?.role ?? []),
  ]);
  const named = [
    ...channels.flatMap(({ roles }, index) =>
      roles.map(({ roleId }, role) => ({ id: roleId, path: ["channels", index, "roles", role, "role"] })),
    ),
    ...rooms.flatMap(({ settings: { mention } }, index) =>
      mention ? [{ id: mention.role, path: ["rooms", index, "mention", "role"] }] : [],
    ),
  ];
  return named.filter(({ id }) => !known.has(id));
}

function listUsers(stored: StoredConfig, { channels = [] }: ServerConfig): Named[] {
  const known = new Set(stored.channels.flatMap(({ ignoredReporters }) => ignoredReporters));
  return channels.flatMap(({ ignoredReporters }, index) =>
    ignoredReporters
      .map((id, place) => ({ id, path: ["channels", index, "ignored_reporters", place] }))
      .filter(({ id }) => !known.has(id)),
  );
}
