import { sql, type RawBuilder } from "kysely";
import type { BotContext } from "../bot-context.ts";
import { isFollowed } from "../observe/sources.ts";
import { stillWaits } from "../rules/pending/pending.ts";
import { castellan } from "../rules/versions/rules-of-server.ts";
import { sampled, type Sample, type SampleName } from "./samples.ts";

interface Row {
  name: SampleName;
  /** The value of the metric's one label; null if it has none. */
  label: string | null;
  value: number | null;
}

/**
 * Metrics of the whole installation, in one statement. Every process reports them, so that one running process is
 * enough. It reads open rows, through the workers' indexes, and no settled ones.
 */
export async function readInstallation(
  context: Pick<BotContext, "database" | "clock"> & { settings: Pick<BotContext["settings"], "hubShard"> },
): Promise<Sample[]> {
  const { rows } = await sql<Row>`
    ${withOpen(context)} ${sql.join(selectAll(context), sql` union all `)}
  `.execute(context.database.query);
  return rows.flatMap(({ name, label, value }): Sample[] => {
    if (value === null) return [];
    const [key] = sampled[name].labels;
    return [key === undefined || label === null ? [name, value] : [name, value, { [key]: label }]];
  });
}

/** Followed sources, events not posted yet, and those that could be posted now, because their rooms are free. */
function withOpen({
  clock,
  settings,
}: Pick<Parameters<typeof readInstallation>[0], "clock" | "settings">): RawBuilder<unknown> {
  const now = clock.now();
  return sql`
    with followed as (
      select *, split_part(source, '/', 1) as kind from castellan.sources
      where ${isFollowed(settings)} and (channel_id is null or exists (
        select from castellan.links where links.channel_id = sources.channel_id))
    ), unposted as (
      select rank, event_id, paused_since_ms is null and (rank = 0 or held_until_ms <= ${now}) as is_due
      from castellan.feed_rows join castellan.room_queues using (room_id) where message_id is null
      union all
      select rank, event_id, paused_since_ms is null from castellan.feed_messages as message
      join castellan.feed_rows on feed_rows.message_id = message.id
      join castellan.room_queues on room_queues.room_id = message.room_id where state = 'bound'
    ), ranks as (
      select rank, count(*) as waiting, min(event_id) filter (where is_due) as oldest from unposted group by rank
    ), evaluations as (
      select count(*) filter (where ${stillWaits}) as waiting, count(*) filter (where not (${stillWaits})) as failed,
        min(event_id) filter (where ${stillWaits}) as oldest
      from castellan.rule_evaluations where settled_at_ms is null
    ), outbox as (
      select kind, count(*) as waiting, min(requested_at_ms) as oldest_ms
      from castellan.outbox where state = 'waiting' group by kind
    ), cases as (
      select coalesce(waiting_reason, 'nothing') as waiting_reason, count(*) as open,
        min(requested_at_ms) filter (where bulk_id is null) as oldest_ms
      from castellan.cases where state = 'requested' group by 1
    )`;
}

function selectAll({ clock }: Pick<BotContext, "clock">): RawBuilder<unknown>[] {
  const now = clock.now();
  const since = (ms: RawBuilder<unknown>) => sql`greatest(0, ${now} - ${ms}) / 1000.0`;
  const observed = (id: string) =>
    since(sql`(select observed_at_ms from castellan.events where events.id = ${sql.ref(id)})`);
  const select = (
    name: SampleName,
    label: RawBuilder<unknown>,
    value: RawBuilder<unknown>,
    from: RawBuilder<unknown>,
  ) =>
    sql`select ${sql.lit(name)}::text as name, ${label}::text as label, (${value})::float8 as value ${from}`;
  const none = sql`null`;
  return [
    select(
      "castellan_hub_lag_seconds",
      sql`coalesce(nullif(split_part(source, '/', 2), ''), 'all')`,
      sql`case when behind then ${since(sql`newest_at * 1000`)} else 0 end`,
      sql`from followed where kind = 'hub'`,
    ),
    select(
      "castellan_source_age_seconds",
      sql`kind`,
      since(sql`min(succeeded_at_ms)`),
      // These are read only while there is something to read.
      sql`from followed where kind not in ('past', 'followers') group by kind`,
    ),
    select(
      "castellan_sources_failing",
      sql`kind`,
      sql`count(failing_since_ms)`,
      sql`from followed group by kind`,
    ),
    select("castellan_feed_waiting", sql`rank`, sql`waiting`, sql`from ranks`),
    select("castellan_feed_oldest_seconds", sql`rank`, observed("oldest"), sql`from ranks`),
    select(
      "castellan_feed_rooms_paused",
      none,
      sql`count(*)`,
      sql`from castellan.room_queues where paused_since_ms is not null and exists (
        select from castellan.feeds where feeds.room_id = room_queues.room_id and ended_at_ms is null)`,
    ),
    ...["blocked", "parked"].map((state) =>
      // Each query has an index.
      select(
        "castellan_feed_unsent_messages",
        sql.lit(state),
        sql`count(*)`,
        sql`from castellan.feed_messages where state = ${sql.lit(state)}`,
      ),
    ),
    select("castellan_outbox_waiting", sql`kind`, sql`waiting`, sql`from outbox`),
    select("castellan_outbox_oldest_seconds", sql`kind`, since(sql`oldest_ms`), sql`from outbox`),
    select("castellan_cases_open", sql`waiting_reason`, sql`open`, sql`from cases`),
    select("castellan_cases_oldest_seconds", sql`waiting_reason`, since(sql`oldest_ms`), sql`from cases`),
    select("castellan_evaluations_waiting", none, sql`waiting`, sql`from evaluations`),
    select("castellan_evaluations_oldest_seconds", none, observed("oldest"), sql`from evaluations`),
    select("castellan_evaluations_failed", none, sql`failed`, sql`from evaluations`),
    select(
      "castellan_reviews_open",
      none,
      sql`count(*)`,
      sql`from castellan.review_items join castellan.links using (guild_id, channel_id)
        where state = 'open' and head_id is null`,
    ),
    select(
      "castellan_servers_with_stopped_rules",
      none,
      sql`count(*)`,
      sql`from castellan.rules_in_force join castellan.rule_sets using (guild_id, version) where saved_by = ${castellan}`,
    ),
  ];
}
