import { sql } from "kysely";
import type { Tx } from "../database/database.ts";
import type { EventKind } from "../observe/events.ts";
import type { AnnouncedEvent } from "./feed-kinds.ts";

/*
 * One post for one deed: a ban with what follows from it, a rule's hit with what the rule does about it, an invite with its
 * answer, a gap that becomes longer. The first of them that a room is told of has the post; the others follow it, and are told in it.
 */

/** What is a part of a case, or of a rule's hit, follows it for so long; after that it would be overlooked. Milliseconds. */
const longest = 3600_000;
/** What nobody of ours did is known by its time alone: one reading of the listings shows all of it. */
const together = 60_000;

/** Which consequence belongs to which change where no case tells: in either order, as listings are read. */
const pairs: Partial<Record<EventKind, readonly EventKind[]>> = {
  "user.banned": ["member.left", "invite.ended", "user.unrestricted"],
  "user.unbanned": ["user.restricted"],
  "member.joined": ["invite.ended", "user.unrestricted"],
  "member.left": ["user.restricted"],
};
const people: ReadonlySet<EventKind> = new Set(
  Object.entries(pairs).flatMap(([kind, others]) => [kind as EventKind, ...others]), // a key of `pairs`
);

function belongTogether(one: EventKind, other: EventKind): boolean {
  return Boolean(pairs[one]?.includes(other) || pairs[other]?.includes(one));
}

/** What a rule does about an event, in one server's channel. */
function hitKey(guildId: string, channelId: string | null, ruleId: string, eventId: number): string {
  return `hit ${guildId} ${channelId} ${ruleId} ${eventId}`;
}

interface CaseOrigin {
  id: number;
  guild_id: string;
  channel_id: string;
  actor_kind: string;
  rule_id: string | null;
  cause_event_id: number | null;
}

const originColumns = ["id", "guild_id", "channel_id", "actor_kind", "rule_id", "cause_event_id"] as const;

function keyOfCase({ id, guild_id, channel_id, actor_kind, rule_id, cause_event_id }: CaseOrigin): string {
  if (actor_kind !== "rule" || rule_id === null || cause_event_id === null) return `case ${id}`;
  return hitKey(guild_id, channel_id, rule_id, cause_event_id);
}

/** What each event is a part of, by its id. */
async function findDeeds(tx: Tx, events: readonly AnnouncedEvent[]): Promise<Map<number, string>> {
  const caseIds = events.flatMap(({ caseId }) => caseId ?? []);
  const origins =
    caseIds.length === 0
      ? []
      : await tx.selectFrom("castellan.cases").select(originColumns).where("id", "in", caseIds).execute();
  const byCase = new Map(origins.map((origin) => [origin.id, keyOfCase(origin)]));
  return new Map(
    events.flatMap((event) => {
      const key = event.caseId === null ? keyOf(event) : byCase.get(event.caseId);
      return key === undefined ? [] : [[event.id, key]];
    }),
  );
}

/** Of what no case caused. */
function keyOf(event: AnnouncedEvent): string | undefined {
  const { kind, channelId, subjectFid, data } = event;
  if (kind === "rule.hit" || kind === "rule.alert" || kind === "strike.added") {
    if (data.eventId === undefined || data.ruleId === null) return undefined;
    return hitKey(data.guildId, channelId, data.ruleId, data.eventId);
  }
  // It begins where it began, however long it is by now.
  if (kind === "gap.found") return `gap ${data.source} ${data.from}`;
  return people.has(kind) && subjectFid !== null ? `person ${channelId} ${subjectFid}` : undefined;
}

interface DeedRow {
  room_id: string;
  event_id: number;
  deed: string;
  kind: EventKind;
  observed_at_ms: number;
}

/** Lets rows that were just added follow what their rooms are told already, or in the same breath. */
export async function followDeeds(tx: Tx, events: readonly AnnouncedEvent[]): Promise<void> {
  const deeds = await findDeeds(tx, events);
  if (deeds.size === 0) return;
  const added = [...deeds].map(([id, deed]) => ({ id, deed }));
  await sql`
    update castellan.feed_rows set deed = added.deed
    from jsonb_to_recordset(${JSON.stringify(added)}::text::jsonb) as added (id bigint, deed text)
    where event_id = added.id
  `.execute(tx);
  const { rows } = await sql<DeedRow>`
    select room_id, event_id, deed, kind, observed_at_ms
    from castellan.feed_rows join castellan.events on events.id = event_id
    where deed = any(${[...new Set(deeds.values())]}::text[]) and head_id is null
    order by event_id
  `.execute(tx);
  const follows = findHeads(rows, new Set(deeds.keys()));
  if (follows.length === 0) return;
  await sql`
    update castellan.feed_rows set head_id = follow.head
    from jsonb_to_recordset(${JSON.stringify(follows)}::text::jsonb) as follow (room text, id bigint, head bigint)
    where room_id = follow.room and event_id = follow.id
  `.execute(tx);
}

/** Rows in the order of their events; those that are new may follow any before them that has not itself followed. */
function findHeads(rows: readonly DeedRow[], fresh: ReadonlySet<number>) {
  const heads = new Map<string, DeedRow[]>();
  const follows: { room: string; id: number; head: number }[] = [];
  for (const row of rows) {
    const key = `${row.room_id} ${row.deed}`;
    const own = heads.get(key) ?? [];
    const head = fresh.has(row.event_id) ? own.findLast((one) => mayFollow(row, one)) : undefined;
    if (head) follows.push({ room: row.room_id, id: row.event_id, head: head.event_id });
    else heads.set(key, [...own, row]);
  }
  return follows;
}

function mayFollow(row: DeedRow, head: DeedRow): boolean {
  const age = row.observed_at_ms - head.observed_at_ms;
  if (!row.deed.startsWith("person ")) return age <= longest;
  return age <= together && belongTogether(row.kind, head.kind);
}

/** Events after which something that was told before may not be so any more. */
const endings: ReadonlySet<EventKind> = new Set([
  "user.banned",
  "user.unbanned",
  "record.hidden",
  "record.unhidden",
  "pin.changed",
  "invite.ended",
  "case.settled",
]);

/**
 * The deeds that these events change: of the case that a `case.settled` tells of, and of those before it about the same
 * target, which may not be in force since, or for another time; with the events from outside that are cases without a deed of their own.
 */
export async function findChangedDeeds(
  tx: Tx,
  events: readonly AnnouncedEvent[],
): Promise<{ deeds: string[]; eventIds: number[] }> {
  const changing = events.filter(({ kind }) => endings.has(kind));
  if (changing.length === 0) return { deeds: [], eventIds: [] };
  const ids = changing.map(({ id }) => id);
  const caseIds = changing.flatMap(({ caseId }) => caseId ?? []);
  const { rows } = await sql<CaseOrigin & { claimed_event_id: number | null }>`
    with caused as materialized (
      select id, lane from castellan.cases where id = any(${caseIds}::bigint[])
      union select id, lane from castellan.cases where claimed_event_id = any(${ids}::bigint[])
    )
    select id, guild_id, channel_id, actor_kind, rule_id, cause_event_id, claimed_event_id
    from castellan.cases where id in (select id from caused)
    union all
    (select older.id, guild_id, channel_id, actor_kind, rule_id, cause_event_id, claimed_event_id
    from caused join castellan.cases as older on older.lane = caused.lane and older.id < caused.id
      and older.state in ('applied', 'reverted')
    order by older.id desc limit 20)
  `.execute(tx);
  return {
    deeds: rows.map(keyOfCase),
    eventIds: [
      ...rows.flatMap(({ claimed_event_id }) => claimed_event_id ?? []),
      ...(await findHeld(tx, caseIds, ids)),
    ],
  };
}

/** Of one person so many that wait for a decision are told anew. */
const maxHeld = 20;

/** What is held about casts that these cases, or cases of these events, hid or showed, and about whom they banned. */
async function findHeld(tx: Tx, caseIds: readonly number[], eventIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with caused as (
      select guild_id, channel_id, subject_fid, target_cast from castellan.cases
      where (id = any(${[...caseIds]}::bigint[]) or claimed_event_id = any(${[...eventIds]}::bigint[]))
        and kind in ('hide', 'unhide', 'ban', 'unban')
    )
    select distinct told.id from caused
    cross join lateral (
      select coalesce(head_id, item.id) as head from castellan.review_items as item
      where item.guild_id = caused.guild_id and item.channel_id = caused.channel_id and item.fid = caused.subject_fid
        and state = 'open' and (target_cast is null or cast_hash = target_cast)
      order by item.id desc limit ${maxHeld}) as held
    join castellan.events as told on told.source_key = 'held ' || head
  `.execute(tx);
  return rows.map(({ id }) => id);
}
