import { postOnce, type FindableMessage } from "../outbox/post-once.ts";
import type { OutboxContext, OutboxRow } from "../outbox/send-outbox.ts";
import type { RoomEmbed } from "./rooms.ts";

/** A private message: its footer and time are no other's, also of none that an earlier database sent. */
export interface DirectMessage extends FindableMessage {
  embeds: [RoomEmbed & { footer: string; timestamp: number }];
}

/** Sends somebody a private message, by their Discord id, once. Throws as `Rooms.post` does. */
export async function sendDirect(
  context: OutboxContext,
  userId: string,
  message: DirectMessage,
  { requestedAtMs }: OutboxRow,
): Promise<void> {
  const roomId = await context.rooms.openDirect(userId);
  await postOnce(context, roomId, message, requestedAtMs);
}
