import { compareIds } from "../snowflake.ts";
import type { Change, Message, World } from "./world.ts";

/** A room keeps so many messages, its newest: the sandbox may run for weeks. */
export const mostMessages = 2_000;

/** Brings the world to the state after one change. */
export function applyChange(world: World, change: Change): void {
  switch (change.kind) {
    case "boot":
      world.boot = change.number;
      world.applicationId = change.applicationId;
      return;
    case "user":
      world.users.set(change.user.id, change.user);
      return;
    case "guild":
      world.guilds.set(change.guild.id, change.guild);
      return;
    case "room":
      world.rooms.set(change.room.id, change.room);
      return;
    case "room_removed":
      world.rooms.delete(change.roomId);
      world.messages.delete(change.roomId);
      return;
    case "message":
      putMessage(world, change.message);
      return;
    case "message_removed":
      removeMessage(world, change.roomId, change.messageId);
      return;
    case "commands":
      world.commands.set(change.scope, change.commands);
      return;
    case "file":
      world.files.set(change.id, Buffer.from(change.base64, "base64"));
  }
}

export function findMessage(world: World, roomId: string, messageId: string): Message | undefined {
  const messages = world.messages.get(roomId) ?? [];
  const message = messages[firstNotBefore(messages, messageId)];
  return message?.id === messageId ? message : undefined;
}

/** Index of the first message whose id is not smaller; the length where there is none. */
export function firstNotBefore(messages: readonly Message[], id: string): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = messages[middle];
    if (candidate && compareIds(candidate.id, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function putMessage(world: World, message: Message): void {
  const messages = world.messages.get(message.roomId) ?? [];
  world.messages.set(message.roomId, messages);
  const index = firstNotBefore(messages, message.id);
  messages.splice(index, messages[index]?.id === message.id ? 1 : 0, message);
  for (const old of messages.splice(0, messages.length - mostMessages)) forgetFiles(world, old);
}

function removeMessage(world: World, roomId: string, messageId: string): void {
  const messages = world.messages.get(roomId) ?? [];
  const index = firstNotBefore(messages, messageId);
  const message = messages[index];
  if (message?.id !== messageId) return;
  messages.splice(index, 1);
  forgetFiles(world, message);
}

function forgetFiles(world: World, message: Message): void {
  for (const attachment of message.attachments) world.files.delete(attachment.id);
}
