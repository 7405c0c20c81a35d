import { sql, type RawBuilder } from "kysely";
import type { Queryable } from "../../database/database.ts";
import { ruleEvents, type Occurrence } from "../evaluate/occurrence.ts";
import {
  castAndCause,
  occurrenceColumns,
  toOccurrence,
  type OccurrenceRow,
} from "../pending/stored-occurrence.ts";

/** The part of the stored history to read. */
export interface Past {
  guildId: string;
  channelIds: readonly string[];
  /** UNIX seconds. */
  since: number;
}

export interface Stretch {
  /** Ids of the first and last event; empty if `last < first`. */
  first: number;
  last: number;
}

/** Finds the requested history in the database now. */
export async function findStretch(db: Queryable, { since }: Past): Promise<Stretch> {
  const { rows } = await sql<{ first: number; last: number }>`
    select min(id) as first, (select max(id) from castellan.events) as last from (
      select id from castellan.events where occurred_at >= ${since} order by occurred_at, id limit 1000
    ) as earliest having count(*) > 0
  `.execute(db);
  return rows[0] ?? { first: 1, last: 0 };
}

/** Events of a part of the history, newest first; `from` is where that part begins. */
interface PastPage {
  occurrences: Occurrence[];
  from: number;
}

/** The newest events of a stretch that rules support, at most `limit`. */
export async function readPast(
  db: Queryable,
  past: Past,
  { first, last }: Stretch,
  limit: number,
): Promise<PastPage> {
  const rows = await readEvents(db, past, sql<boolean>`event.id between ${first} and ${last}`, limit);
  const oldest = rows.length === limit ? rows.at(-1)?.id : undefined;
  return { occurrences: inChannels(past, rows), from: oldest ?? first };
}

/** The creation events of these casts, newest first; casts from before the link have none. */
export async function readCastEvents(
  db: Queryable,
  past: Past,
  hashes: readonly string[],
): Promise<Occurrence[]> {
  const isOne = sql<boolean>`event.kind = 'cast.created' and event.cast_hash = any(${[...hashes]}::text[])`;
  return inChannels(past, await readEvents(db, past, isOne, null));
}

type EventRow = Omit<OccurrenceRow, "channel_id">;

/** An event without a channel, such as a name, happened in each channel. */
function inChannels({ channelIds }: Past, rows: readonly EventRow[]): Occurrence[] {
  return rows.flatMap((row) =>
    (row.event_channel_id === null ? channelIds : [row.event_channel_id]).map((channel_id) =>
      toOccurrence({ ...row, channel_id }),
    ),
  );
}

async function readEvents(
  db: Queryable,
  { guildId, channelIds, since }: Past,
  which: RawBuilder<boolean>,
  limit: number | null,
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select ${occurrenceColumns}, ${guildId}::text as guild_id
    from castellan.events as event
    ${castAndCause(sql`${guildId}`)}
    where ${which} and (event.channel_id is null or event.channel_id = any(${[...channelIds]}::text[]))
      and event.occurred_at >= ${since} and event.kind = any(${[...ruleEvents]}::text[])
      and coalesce(event.data ->> 'guildId', ${guildId}) = ${guildId}
      and not (event.kind = 'username_proof.merged' and event.data ->> 'change' = 'released')
      and not (event.kind = 'cast.created' and "cast".erased_at_ms is not null)
    order by event.id desc limit ${limit}
  `.execute(db);
  return rows;
}
