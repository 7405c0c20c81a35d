import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import { permission, type PermissionName } from "../numbers.ts";
import { roomPayload } from "../payloads/guild.ts";
import type { Room, Thread } from "./world.ts";

/** What the owner of a guild can do to its rooms. */
export interface RoomChanges {
  /** Takes permissions from the bot in one room; an empty list gives all of them back. */
  denyBot: (roomId: string, denied: readonly PermissionName[]) => void;
  /** Removes a room with its threads, or one thread. */
  removeRoom: (roomId: string) => void;
  /** Opens a public thread in a room, and gives its id. */
  addThread: (parentId: string, name: string) => string;
  changeThread: (threadId: string, change: Partial<Pick<Thread, "archived" | "locked">>) => void;
}

export function changeRoom(context: Context): RoomChanges {
  const { world } = context;
  const find = (id: string): Room => {
    const room = world.rooms.get(id);
    if (!room) throw new AppError("invalid_input", "There is no such room.");
    return room;
  };
  return {
    denyBot(roomId, denied) {
      if (find(roomId).thread) throw new AppError("invalid_input", "A thread has no permissions of its own.");
      const bits = denied.reduce((sum, name) => sum | permission[name], 0n);
      keepRoom(context, { ...find(roomId), botDenied: String(bits) }, "CHANNEL_UPDATE");
    },
    removeRoom(roomId) {
      const room = find(roomId);
      const payload = roomPayload(world, room);
      const threads = [...world.rooms.values()].filter(({ thread }) => thread?.parentId === roomId);
      for (const { id } of [room, ...threads]) context.record({ kind: "room_removed", roomId: id });
      context.gateway.dispatch(room.guildId, room.thread ? "THREAD_DELETE" : "CHANNEL_DELETE", payload);
      context.happened.tell({ kind: "rooms" });
    },
    addThread(parentId, name) {
      const parent = find(parentId);
      const thread = { parentId, archived: false, locked: false, createdAt: context.clock.now() };
      const id = context.nextId();
      keepRoom(context, { ...parent, id, name, topic: "", botDenied: "0", thread }, "THREAD_CREATE");
      return id;
    },
    changeThread: (threadId, change) => changeThread(context, find(threadId), change),
  };
}

export function changeThread(context: Context, room: Room, change: Partial<Thread>): void {
  if (!room.thread) throw new AppError("invalid_input", "That is not a thread.");
  keepRoom(context, { ...room, thread: { ...room.thread, ...change } }, "THREAD_UPDATE");
}

function keepRoom(context: Context, room: Room, event: string): void {
  context.record({ kind: "room", room });
  context.gateway.dispatch(room.guildId, event, roomPayload(context.world, room));
  context.happened.tell({ kind: "rooms" });
}
