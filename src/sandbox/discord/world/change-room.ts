import { PermissionFlagsBits } from "discord-api-types/v10";
import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import { activeThreads, roomPayload } from "../payloads/guild.ts";
import { botMay, type PermissionName } from "./permissions.ts";
import type { Room, Thread } from "./world.ts";

/** Denies the bot permissions in one room; an empty list restores all of them. */
export function denyBot(context: Context, roomId: string, denied: readonly PermissionName[]): void {
  const { world } = context;
  const room = findRoom(context, roomId);
  if (room.thread) throw new AppError("invalid_input", "A thread cannot have its own permissions.");
  const bits = denied.reduce((sum, name) => sum | PermissionFlagsBits[name], 0n);
  const wasSeen = botMay(world, room, "ViewChannel");
  const changed = { ...room, botDenied: String(bits) };
  saveRoom(context, changed, "CHANNEL_UPDATE");
  if (!wasSeen && botMay(world, changed, "ViewChannel")) announceThreads(context, changed);
}

export function changeThread(context: Context, room: Room, change: Partial<Thread>): void {
  if (!room.thread) throw new AppError("invalid_input", "That is not a thread.");
  saveRoom(context, { ...room, thread: { ...room.thread, ...change } }, "THREAD_UPDATE");
}

export function findRoom({ world }: Context, id: string): Room {
  const room = world.rooms.get(id);
  if (!room) throw new AppError("invalid_input", "There is no such room.");
  return room;
}

export function saveRoom(context: Context, room: Room, event: string): void {
  context.record({ kind: "room", room });
  // Everybody receives events about rooms; only people who see a thread receive its events.
  if (!room.thread || botMay(context.world, room, "ViewChannel"))
    context.gateway.dispatch(room.guildId, event, roomPayload(context.world, room));
  context.happened.emit({ kind: "rooms" });
}

/** A client that gains access to a room receives its active threads, because it received no earlier events about them. */
function announceThreads({ world, gateway }: Context, { id, guildId }: Room): void {
  const threads = activeThreads(world, guildId ?? "").filter(({ thread }) => thread?.parentId === id);
  gateway.dispatch(guildId, "THREAD_LIST_SYNC", {
    guild_id: guildId,
    channel_ids: [id],
    threads: threads.map((thread) => roomPayload(world, thread)),
    members: [],
  });
}
