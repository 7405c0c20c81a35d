// @ts-nocheck
import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import { permission, type PermissionName } from "../numbers.ts";
import { roomPayload } from "../payloads/guild.ts";
import type { Room } from "./world.ts";

/** What the owner of a guild can do to its rooms. */
export interface RoomChanges {
  /** Takes permissions from the bot in one room; an empty list gives all of them back. */
  denyBot: (roomId: string, denied: readonly PermissionName[]) => void;
  removeRoom: (roomId: string) => void;
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
      const bits = denied.reduce((sum, name) => sum | permission[name], 0n);
      const room = { ...find(roomId), botDenied: String(bits) };
      context.record({ kind: "room", room });
      context.gateway.dispatch(room.guildId, "CHANNEL_UPDATE", roomPayload(world, room));
      context.happened.tell({ kind: "rooms" });
    },
    removeRoom(roomId) {
      const room = find(roomId);
      const payload = roomPayload(world, room);
      context.record({ kind: "room_removed", roomId });
      context.gateway.dispatch(room.guildId, "CHANNEL_DELETE", payload);
      context.happened.tell({ kind: "rooms" });
    },
  };
}
