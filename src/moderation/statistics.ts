import { sql } from "kysely";
import type { Queryable } from "../database/database.ts";
import type { CaseKind } from "../database/tables/bot.ts";
import { literals, tookEffect, type CaseState } from "../database/tables/case-states.ts";

/** The server and channels whose cases and reviews are counted, and the start (UNIX milliseconds). */
interface StatisticsFilter {
  guildId: string;
  channelIds: readonly string[];
  sinceMs: number;
}

export interface Statistics {
  /** All cases by the time of their request, whatever their outcome, as counted by /case show. */
  total: number;
  /** By day (days since 1970, in UTC) and kind, oldest first. */
  days: { day: number; kind: CaseKind; count: number }[];
  /** The most frequent first, like rules and moderators. */
  kinds: { kind: CaseKind; count: number }[];
  states: ReadonlyMap<CaseState, number>;
  /** A rule's case that a person approved counts for both. */
  rules: { ruleId: string; count: number }[];
  /** Discord user ids. */
  moderators: { userId: string; count: number }[];
  undone: UndoneShare;
  reviews: DecisionTimes;
}

/** How many of the cases that took effect were undone. */
interface UndoneShare {
  tookEffect: number;
  undone: number;
}

/** Milliseconds from queueing to decision; null if nothing was decided. */
interface DecisionTimes {
  decided: number;
  medianMs: number | null;
  p90Ms: number | null;
}

export async function readStatistics(query: Queryable, filter: StatisticsFilter): Promise<Statistics> {
  const [counted, undone, reviews] = await Promise.all([
    countCases(query, filter),
    readUndone(query, filter),
    readDecisionTimes(query, filter),
  ]);
  return { ...counted, undone, reviews };
}

interface Row {
  day: number | null;
  kind: CaseKind | null;
  state: CaseState | null;
  rule: string | null;
  moderator: string | null;
  count: number;
  /** The grouping that the row belongs to. */
  grouping: "kind" | "state" | "rule" | "moderator";
}

/** In one pass, because there may be a million. */
async function countCases(
  query: Queryable,
  { guildId, channelIds, sinceMs }: StatisticsFilter,
): Promise<Omit<Statistics, "undone" | "reviews">> {
  const { rows } = await sql<Row>`
    select day, kind, state, rule_id as rule, actor_user as moderator, count(*)::int as count,
      case when grouping(kind) = 0 then 'kind' when grouping(state) = 0 then 'state'
        when grouping(rule_id) = 0 then 'rule' else 'moderator' end as grouping
    from (
      select (requested_at_ms / 86400000)::int as day, kind, state,
        case when ends_case_id is null then rule_id end as rule_id,
        case when ends_case_id is null then actor_user end as actor_user
      from castellan.cases
      where guild_id = ${guildId} and channel_id = any(${[...channelIds]}::text[])
        and requested_at_ms >= ${Math.ceil(sinceMs)}
    ) as cases
    group by grouping sets ((day, kind), (state), (rule_id), (actor_user))
    order by count desc, rule_id, actor_user
  `.execute(query);
  const kinds = new Map<CaseKind, number>();
  const result = {
    days: [] as Statistics["days"],
    rules: [] as Statistics["rules"],
    moderators: [] as Statistics["moderators"],
  };
  const states = new Map<CaseState, number>();
  let total = 0;
  for (const { grouping, day, kind, state, rule, moderator, count } of rows) {
    if (grouping === "kind" && day !== null && kind !== null) {
      result.days.push({ day, kind, count });
      kinds.set(kind, (kinds.get(kind) ?? 0) + count);
      total += count;
    } else if (state !== null) states.set(state, count);
    else if (rule !== null) result.rules.push({ ruleId: rule, count });
    else if (moderator !== null) result.moderators.push({ userId: moderator, count });
  }
  result.days.sort((a, b) => a.day - b.day);
  const byCount = [...kinds]
    .map(([kind, count]) => ({ kind, count }))
    .toSorted((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
  return { total, ...result, kinds: byCount, states };
}

/** Without expired cases, which ended as intended, and without pins, which every next pin ends. */
async function readUndone(
  query: Queryable,
  { guildId, channelIds, sinceMs }: StatisticsFilter,
): Promise<UndoneShare> {
  const { rows } = await sql<UndoneShare>`
    select count(*)::int as "tookEffect",
      (count(*) filter (where state = 'reverted' and not has_expired))::int as undone
    from castellan.cases
    where guild_id = ${guildId} and channel_id = any(${[...channelIds]}::text[])
      and requested_at_ms >= ${Math.ceil(sinceMs)} and kind not in ('pin', 'unpin')
      and state in (${literals(tookEffect)})
  `.execute(query);
  return rows[0] ?? { tookEffect: 0, undone: 0 };
}

/** For reviews decided since then: one review item in several channels counts once. */
async function readDecisionTimes(
  query: Queryable,
  { guildId, channelIds, sinceMs }: StatisticsFilter,
): Promise<DecisionTimes> {
  const { rows } = await sql<DecisionTimes>`
    select count(*)::int as decided,
      percentile_cont(0.5) within group (order by decided_at_ms - queued_at_ms)::float8 as "medianMs",
      percentile_cont(0.9) within group (order by decided_at_ms - queued_at_ms)::float8 as "p90Ms"
    from castellan.review_items
    where state <> 'open' and head_id is null and guild_id = ${guildId}
      and channel_id = any(${[...channelIds]}::text[]) and decided_at_ms >= ${Math.ceil(sinceMs)}
  `.execute(query);
  return rows[0] ?? { decided: 0, medianMs: null, p90Ms: null };
}
