import type { Context } from "../../context.ts";
import { missingAccess, missingPermissions, unknown } from "../../discord-error.ts";
import type { PermissionName } from "../../numbers.ts";
import { findMessage } from "../../world/apply-change.ts";
import { botMay } from "../../world/permissions.ts";
import type { Message, Room } from "../../world/world.ts";

/** A room in which the bot has the permissions that a request needs. */
export function findRoom({ world }: Context, id: string, ...needed: PermissionName[]): Room {
  const room = world.rooms.get(id);
  if (!room) throw unknown("Channel");
  if (!botMay(world, room, "viewChannel")) throw missingAccess();
  const inPlace = (name: PermissionName) =>
    room.thread && name === "sendMessages" ? "sendMessagesInThreads" : name;
  if (!needed.every((name) => botMay(world, room, inPlace(name)))) throw missingPermissions();
  return room;
}

/** A message that everyone in the room can see. */
export function findPublicMessage({ world }: Context, room: Room, id: string): Message {
  const message = findMessage(world, room.id, id);
  if (!message || message.visibleTo !== null) throw unknown("Message");
  return message;
}
