import { postOnce, type FindableMessage } from "../outbox/post-once.ts";
import type { OutboxContext, OutboxRow } from "../outbox/send-outbox.ts";
import type { RoomEmbed } from "./rooms.ts";

/** A private message. Its footer and time are unique, even across earlier databases. */
export interface DirectMessage extends FindableMessage {
  embeds: [RoomEmbed & { footer: string; timestamp: number }];
}

/** Sends somebody a private message, by their Discord id, once. Throws like `Rooms.post`. */
export async function sendDirect(
  context: OutboxContext,
  userId: string,
  message: DirectMessage,
  { requestedAtMs }: OutboxRow,
): Promise<void> {
  const roomId = await context.rooms.openDirect(userId);
  await postOnce(context, roomId, message, requestedAtMs);
}
