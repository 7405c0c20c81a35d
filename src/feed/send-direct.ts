import type { RoomEmbed, RoomMessage, Rooms } from "./rooms.ts";

/** A private message: its footer and time are no other's, also of none that an earlier database sent. */
export interface DirectMessage extends RoomMessage {
  embeds: [RoomEmbed & { footer: string; timestamp: number }];
}

/**
 * Sends somebody a private message, by their Discord id, once: what was sent before a crash is found in the room. Throws as
 * `Rooms.post` does.
 */
export async function sendDirect(rooms: Rooms, userId: string, message: DirectMessage): Promise<void> {
  const roomId = await rooms.openDirect(userId);
  const [{ footer, timestamp }] = message.embeds;
  const sent = (await rooms.recent(roomId)).flatMap(({ embeds }) => embeds);
  if (sent.some((embed) => embed.footer === footer && embed.timestamp === timestamp)) return;
  await rooms.post(roomId, message);
}
