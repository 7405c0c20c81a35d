import { sql } from "kysely";
import { mapLimited } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import { asAppError } from "../../errors.ts";
import type { Rooms } from "../rooms.ts";
import { bindMessage, isRoomFree, type BoundMessage } from "./bind-message.ts";
import { settleDelayed, settlePaused, settleRefused, settleSent } from "./settle-message.ts";

/** Rooms that are served at the same time. */
const parallel = 8;
/** Rooms in one run; the rest waits for the next. */
const mostRooms = 500;
/** A room with many events gives way to others after so many messages. */
const mostMessages = 20;
/** Our clock and Discord's may differ by so much, in milliseconds. */
const clocksDiffer = 10 * 60_000;

/** Serves every room that has something waiting and is free, the longest waiting first. */
export async function deliverAll(context: BotContext, rooms: Rooms): Promise<void> {
  await mapLimited(await findRooms(context), parallel, (roomId) => deliver(context, rooms, roomId));
}

async function findRooms(context: BotContext): Promise<string[]> {
  const { rows } = await sql<{ room_id: string }>`
    select room_id from castellan.feed_lanes lanes cross join lateral (
      select coalesce(
        (select 0 from castellan.feed_messages where room_id = lanes.room_id and state = 'bound'),
        (select min(event_id) from castellan.feed_rows where room_id = lanes.room_id and message_id is null)
      ) as oldest) as work
    where oldest is not null and ${isRoomFree(context)}
    order by oldest limit ${mostRooms}
  `.execute(context.database.query);
  return rows.map((row) => row.room_id);
}

/**
 * Sends a room what waits for it, in order: binds the oldest rows to a message (transaction), sends it, settles it
 * (transaction). Each event is announced exactly once, also when this process dies between any two of these steps: a bound
 * message is looked up in the room before it is sent, and its nonce covers what that does not show.
 */
export async function deliver(context: BotContext, rooms: Rooms, roomId: string): Promise<void> {
  for (let sent = 0; sent < mostMessages; sent += 1) {
    const message = await bindMessage(context, roomId);
    if (!message || !(await send(context, rooms, message))) return;
  }
}

/** True when the room's queue goes on. */
async function send(context: BotContext, rooms: Rooms, message: BoundMessage): Promise<boolean> {
  let discordId: string;
  try {
    discordId =
      (message.uncertain ? await findPosted(context, rooms, message) : undefined) ??
      (await rooms.post(message.roomId, { nonce: message.nonce, ...contentOf(message) }));
  } catch (error) {
    const refused = asAppError(error, "message_refused");
    const unavailable = asAppError(error, "room_unavailable");
    if (refused) await settleRefused(context, message, refused);
    else if (unavailable) await settlePaused(context, message, unavailable);
    else await settleDelayed(context, message, error);
    return refused !== undefined;
  }
  await settleSent(context, message, discordId);
  return true;
}

function contentOf({ embeds, buttons }: BoundMessage) {
  return buttons.length > 0 ? { embeds, buttons } : { embeds };
}

/** The message's first event number, in the footer, is the room's own: it was posted at most once. */
async function findPosted(
  { log }: BotContext,
  rooms: Rooms,
  { roomId, embeds, boundAtMs }: BoundMessage,
): Promise<string | undefined> {
  const footer = embeds[0]?.footer;
  const since = boundAtMs - clocksDiffer;
  const posted = await rooms.find(roomId, since, (message) => message.embeds[0]?.footer === footer);
  if (posted !== "hidden") return posted?.id;
  log.warn(
    { room: roomId },
    "without Read Message History Castellan cannot see whether a message was posted before a crash: it may appear twice",
  );
  return undefined;
}
