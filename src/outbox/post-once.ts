import type { RoomEmbed, RoomMessage, Rooms } from "../feed/rooms.ts";
import type { Log } from "../log.ts";

/** Maximum difference between our clock and Discord's, in milliseconds. */
const clocksDiffer = 10 * 60_000;

/** A message that can be distinguished from all others in its room: by its footer, and by its timestamp if it has one. */
export interface FindableMessage extends RoomMessage {
  embeds: [RoomEmbed & { footer: string }];
}

/**
 * Posts a message that may have been posted before a crash: it is first searched for in the room, and its nonce covers
 * what the search misses. Throws like `Rooms.post`.
 */
export async function postOnce(
  context: { rooms: Rooms; log: Log },
  roomId: string,
  message: FindableMessage,
  requestedAtMs: number,
): Promise<void> {
  const posted = await findPosted(context, roomId, message.embeds[0], requestedAtMs);
  if (posted === undefined) await context.rooms.post(roomId, message);
}

/** The message that begins with this embed and was posted since then (UNIX milliseconds). Throws like `Rooms.find`. */
export async function findPosted(
  { rooms, log }: { rooms: Rooms; log: Log },
  roomId: string,
  first: { footer: string | undefined; timestamp?: number | undefined },
  sinceMs: number,
): Promise<string | undefined> {
  const posted = await rooms.find(roomId, sinceMs - clocksDiffer, ({ embeds }) => {
    const [{ footer, timestamp } = {}] = embeds;
    return footer === first.footer && (first.timestamp === undefined || timestamp === first.timestamp);
  });
  if (posted !== "hidden") return posted?.id;
  log.warn(
    { room: roomId },
    "without Read Message History Castellan cannot see whether a message was posted before a crash: it may appear twice",
  );
  return undefined;
}
