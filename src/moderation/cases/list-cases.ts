import { sql, type RawBuilder, type SelectQueryBuilder, type Selectable } from "kysely";
import type { Queryable } from "../../database/database.ts";
import type { CaseTable } from "../../database/tables/bot.ts";
import type { Tables } from "../../database/tables/index.ts";
import { toCase, type Case, type CaseKind, type Scope } from "./case.ts";
import { hasWords } from "./words.ts";
import type { CaseState } from "../../database/tables/case-states.ts";

/*
 * Every filter uses an index in the order of the list. Words have none: frequent words are soon found among the newest
 * cases, and rare ones are looked up in the word index and then sorted.
 */

/** A filter for a channel's cases: all given fields must match. */
export interface CaseFilter extends Scope {
  /** Only cases about this user, or about their casts. */
  subjectFid?: number | undefined;
  /** Only actions or requests of this Discord user, without expiries. */
  actorUser?: string | undefined;
  kind?: CaseKind | undefined;
  ruleId?: string | undefined;
  state?: CaseState | undefined;
  /** UNIX milliseconds at which it was requested or happened. */
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
  /** Each must occur in the reason, the note or the cast (words.ts). */
  words?: string | undefined;
}

/** The position where a page of cases ends. */
export type CasePlace = Pick<Case, "number" | "requestedAtMs">;

/** How many of the newest cases are searched for words before the word index is used. */
const lookedThrough = 500;

/** A channel's cases, newest first: by number, or by time if a period is given. */
export async function listCases(
  query: Queryable,
  { before, limit, ...filter }: CaseFilter & { before?: CasePlace | undefined; limit: number },
): Promise<Case[]> {
  const { words, ...others } = filter;
  const newest = (most: number) => inOrder(fitting(query, others), filter, before).selectAll().limit(most);
  if (words === undefined) return (await newest(limit).execute()).map(toCase);
  const looked = await sql<Selectable<CaseTable>>`
    with looked as materialized (${newest(Math.max(lookedThrough, limit))})
    select * from looked where ${hasWords(filter, words)} limit ${limit}
  `.execute(query);
  if (looked.rows.length === limit) return looked.rows.map(toCase);
  const found = await sql<Selectable<CaseTable>>`
    with found as materialized (${fitting(query, filter).select(["id", "number", "requested_at_ms"])}),
    page as (select id from found where ${isBefore(filter, before)} order by ${orderOf(filter)} limit ${limit})
    select cases.* from page join castellan.cases using (id) order by ${orderOf(filter)}
  `.execute(query);
  return found.rows.map(toCase);
}

/** The newest cases of each of these channels, newest first. */
export async function listNewestCases(
  query: Queryable,
  guildId: string,
  channelIds: readonly string[],
  { inEach, inAll }: { inEach: number; inAll: number },
): Promise<Case[]> {
  const { rows } = await sql<Selectable<CaseTable>>`
    select newest.* from unnest(${[...channelIds]}::text[]) as asked (channel_id)
    cross join lateral (
      select * from castellan.cases where guild_id = ${guildId} and channel_id = asked.channel_id
      order by number desc limit ${inEach}
    ) as newest
    order by newest.requested_at_ms desc limit ${inAll}
  `.execute(query);
  return rows.map(toCase);
}

/** The number of matches, counted up to `most`. */
export async function countFitting(query: Queryable, filter: CaseFilter, most: number): Promise<number> {
  const { words, ...others } = filter;
  if (words === undefined) {
    const some = fitting(query, filter).select("id");
    return count(query, sql`(${(isSpan(filter) ? inOrder(some, filter) : some).limit(most)})`);
  }
  const newest = (looked: number) => sql`(
    with looked as materialized (${inOrder(fitting(query, others), filter).selectAll().limit(looked)})
    select id from looked where ${hasWords(filter, words)} limit ${most})`;
  // If nearly every case contains them, the word index would collect nearly all cases.
  const common = (await count(query, newest(lookedThrough))) * 3 > lookedThrough;
  const among = common ? await count(query, newest(most * 4)) : 0;
  if (among === most) return among;
  const found = fitting(query, filter).select("id");
  return count(query, sql`(with found as materialized (${found}) select id from found limit ${most})`);
}

async function count(query: Queryable, cases: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from ${cases} as fitting`.execute(query);
  return rows[0]?.count ?? 0;
}

type Cases<Chosen> = SelectQueryBuilder<Tables, "castellan.cases", Chosen>;

/** A period is sorted by time, because outside changes are numbered when they are seen. */
function isSpan({ sinceMs, untilMs }: CaseFilter): boolean {
  return sinceMs !== undefined || untilMs !== undefined;
}

function inOrder<Chosen>(cases: Cases<Chosen>, filter: CaseFilter, before?: CasePlace): Cases<Chosen> {
  return cases.where(isBefore(filter, before)).orderBy(orderOf(filter));
}

function orderOf(filter: CaseFilter): RawBuilder<unknown> {
  return isSpan(filter) ? sql`requested_at_ms desc, number desc` : sql`number desc`;
}

function isBefore(filter: CaseFilter, before: CasePlace | undefined): RawBuilder<boolean> {
  if (!before) return sql<boolean>`true`;
  return isSpan(filter)
    ? sql<boolean>`(requested_at_ms, number) < (${before.requestedAtMs}, ${before.number})`
    : sql<boolean>`number < ${before.number}`;
}

function fitting(query: Queryable, filter: CaseFilter): Cases<object> {
  const { subjectFid, actorUser, kind, ruleId, state, sinceMs, untilMs, words } = filter;
  let cases: Cases<object> = query
    .selectFrom("castellan.cases")
    .where("guild_id", "=", filter.guildId)
    .where("channel_id", "=", filter.channelId);
  if (subjectFid !== undefined) cases = cases.where("subject_fid", "=", subjectFid);
  if (actorUser !== undefined) cases = cases.where("actor_user", "=", actorUser);
  // An expiry has the actor of the original action, but is not their action.
  if (actorUser !== undefined || ruleId !== undefined) cases = cases.where("ends_case_id", "is", null);
  if (kind !== undefined) cases = cases.where("kind", "=", kind);
  if (ruleId !== undefined) cases = cases.where("rule_id", "=", ruleId);
  if (state !== undefined) cases = cases.where("state", "=", state);
  if (sinceMs !== undefined) cases = cases.where("requested_at_ms", ">=", sinceMs);
  if (untilMs !== undefined) cases = cases.where("requested_at_ms", "<", untilMs);
  if (words !== undefined) cases = cases.where(hasWords(filter, words));
  return cases;
}

/** Discord ids of people who acted in a channel, from its cases. */
export async function listModerators(query: Queryable, { guildId, channelId }: Scope): Promise<string[]> {
  // Skips from one to the next in the index cases_by_moderator, because there are few of them and many cases.
  const next = (after: RawBuilder<unknown>) => sql`(
    select min(actor_user) from castellan.cases
    where guild_id = ${guildId} and channel_id = ${channelId} and actor_user > ${after})`;
  const { rows } = await sql<{ id: string }>`
    with recursive moderators as (
      select ${next(sql`''`)} as id
      union all
      select ${next(sql`moderators.id`)} from moderators where moderators.id is not null
    )
    select id from moderators where id is not null limit ${maxModerators}
  `.execute(query);
  return rows.map(({ id }) => id);
}
const maxModerators = 200;
