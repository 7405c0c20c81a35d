import { sql, type RawBuilder } from "kysely";
import type { Queryable } from "../../database/database.ts";
import { ruleEvents, type Occurrence } from "../evaluate/occurrence.ts";
import { toOccurrence, type OccurrenceRow } from "../pending/stored-occurrence.ts";

/** Which part of the stored history is read. */
export interface Past {
  guildId: string;
  channelIds: readonly string[];
  /** UNIX seconds. */
  since: number;
}

export interface Stretch {
  /** Ids of the first and last event; there is nothing where `last < first`. */
  first: number;
  last: number;
}

/** Where the history that was asked for is in the store now. */
export async function findStretch(db: Queryable, { since }: Past): Promise<Stretch> {
  const { rows } = await sql<{ first: number; last: number }>`
    select min(id) as first, (select max(id) from castellan.events) as last from (
      select id from castellan.events where occurred_at >= ${since} order by occurred_at, id limit 1000
    ) as earliest having count(*) > 0
  `.execute(db);
  return rows[0] ?? { first: 1, last: 0 };
}

/** The last event before one of a stretch, by id; the id before the stretch where there is none. */
export async function findEarlier(db: Queryable, { first }: Stretch, id: number): Promise<number> {
  const { earlier } = await db
    .selectFrom("castellan.events")
    .select((query) => query.fn.max<number | null>("id").as("earlier"))
    .where("id", "<", id)
    .where("id", ">=", first)
    .executeTakeFirstOrThrow();
  return earlier ?? first - 1;
}

/** The events with these ids that rules can listen to, newest first. */
export function readPast(db: Queryable, past: Past, from: number, until: number): Promise<Occurrence[]> {
  return readEvents(db, past, sql<boolean>`event.id between ${from} and ${until}`);
}

/** That these casts came, newest first; nothing tells of those from before the link. */
export function readCastEvents(db: Queryable, past: Past, hashes: readonly string[]): Promise<Occurrence[]> {
  const isOne = sql<boolean>`event.kind = 'cast.created' and event.cast_hash = any(${[...hashes]}::text[])`;
  return readEvents(db, past, isOne);
}

async function readEvents(db: Queryable, past: Past, which: RawBuilder<boolean>): Promise<Occurrence[]> {
  const { rows } = await sql<OccurrenceRow>`
    select event.*, event.channel_id as event_channel_id, ${past.guildId}::text as guild_id,
      linked.channel_id, "cast".fid as cast_fid,
      case when "cast".erased_at_ms is null then "cast".text end as cast_text,
      case when "cast".erased_at_ms is null then "cast".embeds end as cast_embeds, "cast".thread_depth as cast_depth, cause.rule_id as causing_rule
    from castellan.events as event
    join unnest(${[...past.channelIds]}::text[]) as linked(channel_id)
      on event.channel_id is null or event.channel_id = linked.channel_id
    left join castellan.casts as "cast" on "cast".hash = event.cast_hash
    left join castellan.cases as cause on cause.id = event.case_id and cause.guild_id = ${past.guildId}
    where ${which} and event.occurred_at >= ${past.since}
      and event.kind = any(${[...ruleEvents]}::text[])
      and coalesce(event.data ->> 'guildId', ${past.guildId}) = ${past.guildId}
      and not (event.kind = 'username_proof.merged' and event.data ->> 'change' = 'released')
      and not (event.kind = 'cast.created' and "cast".erased_at_ms is not null)
    order by event.id desc, linked.channel_id
  `.execute(db);
  return rows.map(toOccurrence);
}
