import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Database, Tx } from "../../database/database.ts";
import { sqlState } from "../../database/transactions.ts";
import { asAppError } from "../../errors.ts";
import type { Texts } from "../../languages/en.ts";
import { discordLimits } from "../../limits/discord-limits.ts";
import { colors } from "../../text/colors.ts";
import { showNumber } from "../../text/numbered.ts";
import type { Post } from "../render/lay-out.ts";
import { timeForReaders } from "../render/render-event.ts";

/** A room's waiting rows cannot be made into a message, and the fault is in the rows themselves. */
export class Unshowable extends Error {
  override readonly name = "Unshowable";
}

/** Class of SQLSTATEs for unusable values; all other codes concern the database, and may pass. */
const badValues = "22";

/** Wraps the failure if the rows themselves caused it; otherwise returns it unchanged. */
export function asUnshowable(cause: unknown): unknown {
  const state = sqlState(cause);
  const isPassing = asAppError(cause) !== undefined || (state !== undefined && !state.startsWith(badValues));
  return isPassing ? cause : new Unshowable("the rows of a room cannot be shown", { cause });
}

/** Stands in for an event that cannot be shown, so that the room knows about it; `nowMs` identifies it to readers. */
export function postUnshown(
  eventId: number,
  { posts }: Pick<Texts, "posts">,
  { forReaders, nowMs }: { forReaders: boolean; nowMs: number },
): Post {
  const number = showNumber("event", eventId);
  const embed = forReaders
    ? { description: posts.readers.notHere, timestamp: timeForReaders(nowMs / 1000, eventId) }
    : { description: posts.unshown(number), color: colors.warning, footer: number };
  return { embed, buttons: [], alone: false };
}

/**
 * Isolates an event that cannot be shown: first events go one by one, then without their followers, and the remaining one
 * is posted as an event that could not be shown. The caller holds the lock on the room's queue. Returns that event's id.
 */
export async function isolateUnshowable(
  tx: Tx,
  { room_id, one_by_one, onlyUrgent }: { room_id: string; one_by_one: number; onlyUrgent: boolean },
): Promise<number | undefined> {
  if (one_by_one === 0) {
    await tx
      .updateTable("castellan.room_queues")
      .set({ one_by_one: discordLimits.embeds })
      .where("room_id", "=", room_id)
      .execute();
    return undefined;
  }
  const { rows } = await sql<{ id: number; followed: boolean }>`
    select event_id as id, exists (select from castellan.feed_rows as follower
      where follower.room_id = ${room_id} and follower.message_id is null and follower.head_id = told.event_id) as followed
    from castellan.feed_rows as told
    where room_id = ${room_id} and message_id is null and head_id is null and (rank = 0 or not ${onlyUrgent})
    order by rank, event_id limit 1
  `.execute(tx);
  const [first] = rows;
  if (!first?.followed) return first?.id;
  await tx
    .updateTable("castellan.feed_rows")
    .set({ head_id: null })
    .where("room_id", "=", room_id)
    .where("message_id", "is", null)
    .where("head_id", "=", first.id)
    .execute();
  return undefined;
}

/** How many events could not be shown in each room of one server, or of all. */
export async function countUnshown(
  { query }: Pick<Database, "query">,
  guildId?: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ roomId: string; count: number }>`
    select room_id as "roomId", count(*)::int as count
    from castellan.feed_messages join castellan.room_queues as queue using (room_id)
    where unshown and (queue.guild_id = ${guildId ?? null}::text or ${guildId ?? null}::text is null)
    group by room_id order by room_id
  `.execute(query);
  return new Map(rows.map(({ roomId, count }) => [roomId, count]));
}

/** Makes a room back off without delaying others, if its messages fail for another reason than their events. */
export async function restRoom(
  { database, clock }: Pick<BotContext, "database" | "clock">,
  roomId: string,
  restMs: number,
): Promise<void> {
  await sql`
    update castellan.room_queues set failures = failures + 1, retry_at_ms = ${clock.now() + restMs},
      error = ${"Its messages cannot be created at the moment. The log has the details."}
    where room_id = ${roomId}
  `.execute(database.query);
}
