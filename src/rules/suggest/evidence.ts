import { sql } from "kysely";
import type { Queryable } from "../../database/database.ts";
import type { Past } from "../rehearse/past-events.ts";
import type { CastData } from "./trait.ts";
import { inForce, literals, succeeded } from "../../database/tables/case-states.ts";

/** How many casts of each kind are read, newest first; bounds a search's cost. */
const most = { removed: 300, ofOneBanned: 20, stayed: 5000, hits: 2000 } as const;
/** How long before a ban the author's casts count as its reason, in seconds. */
const beforeBan = 3 * 86_400;

/** A cast that people removed by hand: it was hidden, or its author banned soon afterwards. */
export interface RemovedCast extends CastData {
  channelId: string;
  banned: boolean;
}

/** In force as far as Castellan knows, and not done by a rule: done here, or elsewhere on the network. */
const byHand = sql<boolean>`subject.actor_kind in ('person', 'outside') and subject.state in (${literals(inForce)})`;

const isOf = ({ guildId, channelIds, since }: Past) => sql<boolean>`
  subject.guild_id = ${guildId} and subject.channel_id = any(${[...channelIds]}::text[])
  and subject.requested_at_ms >= ${since * 1000}`;

/** Casts removed by hand, newest first. */
export async function readRemoved(db: Queryable, past: Past): Promise<RemovedCast[]> {
  const { rows } = await sql<RemovedCast>`
    with removed as (
      select "cast".hash, subject.requested_at_ms as at, false as banned
      from castellan.cases as subject join castellan.casts as "cast" on "cast".hash = subject.target_cast
      where ${isOf(past)} and subject.kind = 'hide' and ${byHand} and "cast".erased_at_ms is null
      union all
      select latest.hash, subject.requested_at_ms, true
      from castellan.cases as subject cross join lateral (
        select hash from castellan.casts
        where fid = subject.target_fid and channel_id = subject.channel_id and erased_at_ms is null
          and cast_at between subject.requested_at_ms / 1000 - ${beforeBan} and subject.requested_at_ms / 1000
        order by cast_at desc limit ${most.ofOneBanned}
      ) as latest
      where ${isOf(past)} and subject.kind = 'ban' and ${byHand}
    ), latest as (
      select hash, max(at) as at, bool_or(banned) as banned from removed
      group by hash order by max(at) desc limit ${most.removed}
    )
    select hash, channel_id as "channelId", fid, text, embeds, banned
    from latest join castellan.casts using (hash) order by at desc, hash
  `.execute(db);
  return rows;
}

/** Casts that are still visible, newest first, without those of users banned by hand. */
export async function readStayed(db: Queryable, past: Past): Promise<CastData[]> {
  const { rows } = await sql<CastData>`
    select hash, fid, text, embeds from castellan.casts as "cast"
    where channel_id = any(${[...past.channelIds]}::text[]) and cast_at >= ${past.since} and ${hasStayed(past)}
      and erased_at_ms is null
    order by cast_at desc limit ${most.stayed}
  `.execute(db);
  return rows;
}

/** How many of these casts stayed, in the same sense. */
export async function countStayed(db: Queryable, past: Past, hashes: readonly string[]): Promise<number> {
  const { rows } = await sql<{ stayed: number }>`
    select count(*)::int as stayed from castellan.casts as "cast"
    where hash = any(${[...hashes]}::text[]) and ${hasStayed(past)}
  `.execute(db);
  return rows[0]?.stayed ?? 0;
}

const hasStayed = (
  past: Past,
) => sql<boolean>`not "cast".hidden and "cast".removed_at is null and not exists (
  select from castellan.cases as subject where ${isOf(past)} and subject.channel_id = "cast".channel_id
    and subject.kind = 'ban' and ${byHand} and subject.target_fid = "cast".fid)`;

/** A cast on which a rule acted or requested a review. */
export interface RuleHit extends CastData {
  ruleId: string;
  /** Somebody undid the action, or dismissed the review. */
  undone: boolean;
}

/** The rules' automatic actions and reviews, newest first: a cast counts as undone if any of them was. */
export async function readRuleHits(db: Queryable, past: Past): Promise<RuleHit[]> {
  const { rows } = await sql<RuleHit>`
    with hits as (
      select subject.rule_id, coalesce(subject.target_cast, cause.cast_hash) as hash, subject.requested_at_ms as at,
        subject.state = 'reverted' and not subject.has_expired as undone
      from castellan.cases as subject left join castellan.events as cause on cause.id = subject.cause_event_id
      where ${isOf(past)} and subject.actor_kind = 'rule' and subject.ends_case_id is null
        and subject.state in (${literals(succeeded)})
      union all
      select rule_id, cast_hash, decided_at_ms, state = 'dismissed' from castellan.review_items
      where guild_id = ${past.guildId} and channel_id = any(${[...past.channelIds]}::text[])
        and state <> 'open' and decided_at_ms >= ${past.since * 1000}
    ), latest as (
      select rule_id, hash, max(at) as at, bool_or(undone) as undone from hits
      where rule_id is not null and hash is not null
      group by rule_id, hash order by max(at) desc limit ${most.hits}
    )
    select rule_id as "ruleId", hash, fid, text, embeds, undone
    from latest join castellan.casts using (hash) where erased_at_ms is null order by at desc, hash
  `.execute(db);
  return rows;
}
