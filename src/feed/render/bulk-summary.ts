import { sql } from "kysely";
import type { Queryable } from "../../database/database.ts";
import type { CaseKind } from "../../database/tables/bot.ts";
import type { BulkKind } from "../../database/tables/moderation.ts";
import type { DescribedOutcome } from "../../moderation/cases/outcome.ts";
import { readNames } from "../../observe/people.ts";
import { everApplied, literals, type CaseState } from "../../database/tables/case-states.ts";

/** A bulk's public summary, counted at this moment. */
export interface BulkSummary {
  number: number;
  channels: { id: string; name: string }[];
  kind: BulkKind;
  selection: string;
  subjectFid: number | null;
  reason: string | null;
  requestedBy: string;
  targets: number;
  beganAtMs: number;
  endedAtMs: number | null;
  stoppedBy: string | null;
  retryAtMs: number | null;
  /** Numbers of the bulks that this one undoes, and that undo this one. */
  undoes: number | null;
  undoneBy: number[];
  /** Whether any of its cases is still in force. */
  isInForce: boolean;
  /** The number of its cases per kind and state. */
  counts: { kind: CaseKind; state: CaseState; count: number }[];
  /** The first target users, and how many there are. */
  users: number[];
  userCount: number;
  /** When its bans end; null if they are permanent, end at different times, or it bans nobody. */
  untilMs: number | null;
  /** Cases are numbered by channel, so these are null if it acts in several. */
  firstCase: number | null;
  lastCase: number | null;
  /** The first of its failed cases, with the reasons. */
  failures: (DescribedOutcome & {
    number: number;
    channelId: string;
    fid: number | null;
    cast: string | null;
  })[];
  names: ReadonlyMap<number, string>;
}

const maxFailures = 5;
const maxUsers = 10;

/**
 * Bulks by id. With `viewed` they name and count only what is in these channels, and those that have none of them are left
 * out.
 */
export async function readBulks(
  db: Queryable,
  ids: readonly number[],
  viewed?: readonly string[],
): Promise<Map<number, BulkSummary>> {
  if (ids.length === 0) return new Map();
  const isViewed = (column: string) =>
    viewed ? sql`${sql.ref(column)} = any(${[...viewed]}::text[])` : sql`true`;
  const cases = sql`castellan.cases where bulk_id = bulk.id and ${isViewed("cases.channel_id")}`;
  const { rows } = await sql<Omit<BulkSummary, "names"> & { id: number }>`
    select bulk.id, bulk.number, bulk.kind, bulk.selection,
      (select coalesce(jsonb_agg(jsonb_build_object('id', channel.id, 'name', coalesce(channel_name, channel.id)) order by channel.place), '[]')
        from unnest(bulk.channel_id || bulk.other_channel_ids) with ordinality as channel (id, place)
        left join castellan.links as link on link.guild_id = bulk.guild_id and link.channel_id = channel.id
        where ${isViewed("channel.id")}) as channels,
      bulk.subject_fid as "subjectFid", bulk.reason, bulk.requested_by as "requestedBy",
      (select count(*)::int from ${cases}) as targets, bulk.begun_at_ms as "beganAtMs",
      bulk.ended_at_ms as "endedAtMs", bulk.stopped_by as "stoppedBy", bulk.retry_at_ms as "retryAtMs",
      (select number from castellan.bulks as undone where undone.id = bulk.undoes_bulk_id) as undoes,
      array(select number from castellan.bulks as undoing where undoing.undoes_bulk_id = bulk.id and exists (
        select from castellan.cases where bulk_id = undoing.id and ${isViewed("cases.channel_id")} and state in (${literals(everApplied)})) order by 1) as "undoneBy",
      exists (select from ${cases} and state = 'applied') as "isInForce",
      (select coalesce(jsonb_agg(target_fid order by id), '[]') from (
        select min(id) as id, target_fid from ${cases} and target_fid is not null
        group by target_fid order by id limit ${maxUsers}) as shown) as users,
      (select count(distinct target_fid)::int from ${cases}) as "userCount",
      (select case when count(*) = count(due_at_ms) and min(due_at_ms) = max(due_at_ms) then max(due_at_ms) end
        from ${cases} and kind = 'ban') as "untilMs",
      (select min(number) from castellan.cases where bulk_id = bulk.id and bulk.other_channel_ids = '{}') as "firstCase",
      (select max(number) from castellan.cases where bulk_id = bulk.id and bulk.other_channel_ids = '{}') as "lastCase",
      (select coalesce(jsonb_agg(counted), '[]') from (select kind, state, count(*)::int as count from (
          -- An expired action was carried out, and nobody undid it.
          select kind, case when has_expired then 'applied' else state end as state
          from ${cases}) as bulk_cases
        group by kind, state order by kind, state) as counted) as counts,
      (select coalesce(jsonb_agg(failed), '[]') from (
        select number, channel_id as "channelId", target_fid as fid, target_cast as cast, kind, notify, outcome, outcome_detail as "outcomeDetail",
          waiting_reason as "waitingReason" from ${cases}
        and state = 'failed' order by id limit ${maxFailures}) as failed) as failures
    from castellan.bulks as bulk
    where bulk.id = any(${[...ids]}::bigint[])
  `.execute(db);
  const found = rows.filter(({ channels }) => channels.length > 0);
  const fids = found.flatMap(({ subjectFid, users, failures }) => [
    subjectFid,
    ...users,
    ...failures.map(({ fid }) => fid),
  ]);
  const names = await readNames(
    db,
    fids.filter((fid) => fid !== null),
  );
  return new Map(found.map(({ id, ...bulk }) => [id, { ...bulk, names }]));
}
