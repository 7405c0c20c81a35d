import type { BotContext } from "../bot-context.ts";
import type { ServerChanges } from "../discord/watch-servers.ts";
import { endRoom, findRooms, setRooms, wakeServers } from "../feed/room-changes.ts";
import { enterServers, findKnownServers, leaveServers, removeDeletedRoles } from "../moderation/servers.ts";

/** The gateway's events about servers, rooms and roles, stored for rules, feeds and permissions. */
export function createServerChanges(context: BotContext): ServerChanges {
  const enter = async (guildIds: readonly string[]) => {
    const entered = await enterServers(context, guildIds);
    if (entered.length > 0)
      context.log.info({ servers: entered }, "added to servers again: their links and feeds continue");
    await wakeServers(context, entered);
  };
  const leave = async (guildIds: readonly string[]) => {
    const left = await leaveServers(context, guildIds);
    if (left.length > 0)
      context.log.warn({ servers: left }, "removed from servers: their links and feeds are paused");
  };
  return {
    async compare(present, concerns) {
      const known = (await findKnownServers(context)).filter(concerns);
      const here = new Set(present);
      await leave(known.filter((guildId) => !here.has(guildId)));
      await enter(known.filter((guildId) => here.has(guildId)));
    },
    async leave(guildId) {
      const known = await findKnownServers(context);
      if (known.includes(guildId)) await leave([guildId]);
    },
    enter: (guildId) => enter([guildId]),
    removeDeletedRoles: (guildId, hasRole) => removeDeletedRoles(context, guildId, hasRole),
    removeRoom: (roomId) => endRoom(context, roomId, "The room was deleted."),
    findRooms: (guildIds) => findRooms(context, guildIds),
    setRooms: (states) => setRooms(context, states),
  };
}
