import type { Context } from "../context.ts";
import { DiscordError } from "../discord-error.ts";
import { roomType } from "../numbers.ts";
import { changeThread } from "../world/change-room.ts";
import { botMay } from "../world/permissions.ts";
import type { Room } from "../world/world.ts";

/** Before the bot posts: only text rooms take messages, a locked thread takes none, and an archived one wakes up. */
export function enterRoom(context: Context, room: Room): void {
  if (room.type === roomType.category)
    throw new DiscordError(400, 50008, "Cannot send messages in a non-text channel");
  if (!room.thread) return;
  if (room.thread.locked && !botMay(context.world, room, "manageThreads")) {
    throw room.thread.archived ? threadArchived() : new DiscordError(400, 160005, "This thread is locked");
  }
  if (room.thread.archived) changeThread(context, room, { archived: false });
}

/** Nothing is changed in an archived thread. */
export function threadArchived(): DiscordError {
  return new DiscordError(400, 50083, "Thread is archived");
}
