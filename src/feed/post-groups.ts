import { sql } from "kysely";
import type { Tx } from "../database/database.ts";
import { hitSource, type EventKind } from "../observe/events.ts";
import type { AnnouncedEvent } from "./feed-kinds.ts";
import { everApplied, literals } from "../database/tables/case-states.ts";

/*
 * Events that share a post: a ban with its consequences, rule actions about one person within a minute, an invite with its
 * answer, a gap that becomes longer. The first of them in a room has the post; the others follow it, and are added to it.
 */

/** How long events join the post of their case or rule hit; later they would be overlooked there. Milliseconds. */
const longest = 3600_000;
/** Without a case, only time connects events: one reading of the listings shows all consequences. */
const together = 60_000;

/** Which consequence belongs to which change without a case: in either order, because listings are read that way. */
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

interface CaseOrigin {
  id: number;
  guild_id: string;
  channel_id: string;
  actor_kind: string;
  rule_id: string | null;
  cause_event_id: number | null;
}

const originColumns = ["id", "guild_id", "channel_id", "actor_kind", "rule_id", "cause_event_id"] as const;

/** The source of the hit that a rule's case belongs to; undefined for other cases. */
function hitOfCase({
  guild_id,
  channel_id,
  actor_kind,
  rule_id,
  cause_event_id,
}: CaseOrigin): string | undefined {
  if (actor_kind !== "rule" || rule_id === null || cause_event_id === null) return undefined;
  return hitSource({ guildId: guild_id, channelId: channel_id, ruleId: rule_id, eventId: cause_event_id });
}

/** Even if no room wants a rule's hits, the rule's actions on one event share a post. */
function keyOfCase(origin: CaseOrigin, byHit: ReadonlyMap<string, string>): string {
  const hit = hitOfCase(origin);
  return hit === undefined ? `case ${origin.id}` : (byHit.get(hit) ?? hit);
}

/** The same for a rule's actions without a case. */
function hitOfEvent({ kind, channelId, data }: AnnouncedEvent): string | undefined {
  if (kind !== "rule.hit" && kind !== "rule.alert" && kind !== "strike.added") return undefined;
  const { guildId, ruleId, eventId } = data;
  if (ruleId === null || eventId === undefined || channelId === null) return undefined;
  return hitSource({ guildId, channelId, ruleId, eventId });
}

/** Each event's group, by event id. */
async function findGroups(tx: Tx, events: readonly AnnouncedEvent[]): Promise<Map<number, string>> {
  const caseIds = events.flatMap(({ caseId }) => caseId ?? []);
  const origins =
    caseIds.length === 0
      ? []
      : await tx.selectFrom("castellan.cases").select(originColumns).where("id", "in", caseIds).execute();
  const fresh = await joinHits(tx, events);
  const sources = [...origins.map(hitOfCase), ...events.map(hitOfEvent)].flatMap((source) => source ?? []);
  const earlier = await findGroupsOfHits(
    tx,
    sources.filter((source) => !fresh.has(source)),
  );
  const byHit = new Map([...fresh, ...earlier]);
  const byCase = new Map(origins.map((origin) => [origin.id, keyOfCase(origin, byHit)]));
  return new Map(
    events.flatMap((event) => {
      const key = event.caseId === null ? keyOf(event, byHit) : byCase.get(event.caseId);
      return key === undefined ? [] : [[event.id, key]];
    }),
  );
}

/** The group of an event without a case. */
function keyOf(event: AnnouncedEvent, byHit: ReadonlyMap<string, string>): string | undefined {
  const { kind, channelId, subjectFid, data } = event;
  // Keyed by its start, because a gap can grow.
  if (kind === "gap.found") return `gap ${data.source} ${data.from}`;
  if (people.has(kind) && subjectFid !== null) return `person ${channelId} ${subjectFid}`;
  return byHit.get(hitOfEvent(event) ?? "");
}

/** Rule actions on one person in a channel within a minute share a post, named by its first hit. By source. */
async function joinHits(tx: Tx, events: readonly AnnouncedEvent[]): Promise<Map<string, string>> {
  const hits = events.flatMap((event) => (event.kind === "rule.hit" ? [event] : []));
  const [first] = hits;
  if (!first) return new Map();
  const subjects = hits.map(({ channelId, subjectFid }) => ({ channel: channelId, fid: subjectFid }));
  const { rows: running } = await sql<{ place: string; post_group: string; began: number }>`
    select distinct concat_ws(' ', data ->> 'guildId', hit.channel_id, hit.subject_fid) as place, post_group, observed_at_ms as began
    from jsonb_to_recordset(${JSON.stringify(subjects)}::text::jsonb) as person (channel text, fid bigint)
    join castellan.events as hit on hit.channel_id = person.channel and hit.subject_fid = person.fid
      and hit.kind = 'rule.hit' and hit.occurred_at >= ${Math.floor((first.observedAt - together) / 1000)}
    join castellan.feed_rows on event_id = hit.id
    where hit.id < ${first.id} and post_group = 'hit ' || hit.id
  `.execute(tx);
  const groups = new Map<string, string>();
  for (const hit of hits) {
    const { id, data, channelId, subjectFid, observedAt: began } = hit;
    const place = `${data.guildId} ${channelId} ${subjectFid ?? `hit ${id}`}`;
    const known = running.find((one) => one.place === place && began - one.began <= together);
    const group = known?.post_group ?? `hit ${id}`;
    if (!known) running.push({ place, post_group: group, began });
    groups.set(hitOfEvent(hit) ?? "", group);
  }
  return groups;
}

/** By the source of each hit. */
async function findGroupsOfHits(tx: Tx, sources: readonly string[]): Promise<Map<string, string>> {
  if (sources.length === 0) return new Map();
  const rows = await tx
    .selectFrom("castellan.events as hit")
    .innerJoin("castellan.feed_rows", "event_id", "hit.id")
    .select(["source_key", "post_group"])
    .distinct()
    .where("source_key", "in", sources)
    .where("post_group", "is not", null)
    .$narrowType<{ post_group: string }>()
    .execute();
  return new Map(rows.map((row) => [row.source_key, row.post_group]));
}

interface GroupRow {
  room_id: string;
  event_id: number;
  post_group: string;
  kind: EventKind;
  observed_at_ms: number;
}

/** Links new rows to earlier ones of the same group that their rooms show already, or will show in the same message. */
export async function followGroups(tx: Tx, events: readonly AnnouncedEvent[]): Promise<void> {
  const groups = await findGroups(tx, events);
  if (groups.size === 0) return;
  const added = [...groups].map(([id, group]) => ({ id, group }));
  await sql`
    update castellan.feed_rows set post_group = added."group"
    from jsonb_to_recordset(${JSON.stringify(added)}::text::jsonb) as added (id bigint, "group" text)
    where event_id = added.id
  `.execute(tx);
  const { rows } = await sql<GroupRow>`
    select room_id, event_id, post_group, kind, observed_at_ms
    from castellan.feed_rows join castellan.events on events.id = event_id
    where post_group = any(${[...new Set(groups.values())]}::text[]) and head_id is null
    order by event_id
  `.execute(tx);
  const follows = findHeads(rows, new Set(groups.keys()));
  if (follows.length === 0) return;
  await sql`
    update castellan.feed_rows set head_id = follow.head
    from jsonb_to_recordset(${JSON.stringify(follows)}::text::jsonb) as follow (room text, id bigint, head bigint)
    where room_id = follow.room and event_id = follow.id
  `.execute(tx);
}

/** Rows in the order of their events; new rows can follow any earlier row that does not itself follow another. */
function findHeads(rows: readonly GroupRow[], fresh: ReadonlySet<number>) {
  const heads = new Map<string, GroupRow[]>();
  const follows: { room: string; id: number; head: number }[] = [];
  for (const row of rows) {
    const key = `${row.room_id} ${row.post_group}`;
    const own = heads.get(key) ?? [];
    const head = fresh.has(row.event_id) ? own.findLast((one) => mayFollow(row, one)) : undefined;
    if (head) follows.push({ room: row.room_id, id: row.event_id, head: head.event_id });
    else heads.set(key, [...own, row]);
  }
  return follows;
}

function mayFollow(row: GroupRow, head: GroupRow): boolean {
  const age = row.observed_at_ms - head.observed_at_ms;
  if (!row.post_group.startsWith("person ")) return age <= longest;
  return age <= together && belongTogether(row.kind, head.kind);
}

/** Posts, by their groups and the events that they show. */
interface Posts {
  groups: string[];
  eventIds: number[];
}

/** Events that may make an earlier post outdated. */
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
 * The groups that these events change: those of a `case.settled` case, and of earlier cases with the same target, which
 * may have ended or got another expiry; plus outside events that are cases without a group.
 */
export async function findChangedGroups(tx: Tx, events: readonly AnnouncedEvent[]): Promise<Posts> {
  const changing = events.filter(({ kind }) => endings.has(kind));
  if (changing.length === 0) return { groups: [], eventIds: [] };
  const ids = changing.map(({ id }) => id);
  const caseIds = changing.flatMap(({ caseId }) => caseId ?? []);
  const { rows } = await sql<CaseOrigin & { event_id: number | null }>`
    with caused as materialized (
      select id, target_key from castellan.cases where id = any(${caseIds}::bigint[])
      union select id, target_key from castellan.cases where event_id = any(${ids}::bigint[])
    )
    select id, guild_id, channel_id, actor_kind, rule_id, cause_event_id, event_id
    from castellan.cases where id in (select id from caused)
    union all
    (select older.id, guild_id, channel_id, actor_kind, rule_id, cause_event_id, event_id
    from caused join castellan.cases as older on older.target_key = caused.target_key and older.id < caused.id
      and older.state in (${literals(everApplied)})
    order by older.id desc limit 20)
  `.execute(tx);
  const { groups, eventIds } = await findPosts(tx, rows);
  return { groups, eventIds: [...eventIds, ...(await findHeld(tx, caseIds, ids))] };
}

/** The posts about a case, whose text has changed. */
export async function findPostsOfCase(tx: Tx, caseId: number): Promise<Posts> {
  const cases = tx.selectFrom("castellan.cases").select([...originColumns, "event_id"]);
  return findPosts(tx, await cases.where("id", "=", caseId).execute());
}

async function findPosts(
  tx: Tx,
  cases: readonly (CaseOrigin & { event_id: number | null })[],
): Promise<Posts> {
  const byHit = await findGroupsOfHits(
    tx,
    cases.flatMap((one) => hitOfCase(one) ?? []),
  );
  return {
    groups: cases.map((one) => keyOfCase(one, byHit)),
    eventIds: cases.flatMap(({ event_id }) => event_id ?? []),
  };
}

/** The most waiting reviews per person whose posts are edited. */
const maxHeld = 20;

/** Reviews of casts that these cases, or cases of these events, hid or unhid, and reviews about users they banned. */
async function findHeld(tx: Tx, caseIds: readonly number[], eventIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with caused as (
      select guild_id, channel_id, subject_fid, target_cast from castellan.cases
      where (id = any(${[...caseIds]}::bigint[]) or event_id = any(${[...eventIds]}::bigint[]))
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
