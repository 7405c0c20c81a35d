import { sql, type RawBuilder } from "kysely";
import type { BotContext } from "../bot-context.ts";

/** The longest period that a rule evaluates, in milliseconds. */
const longest = 90 * 86_400_000;
/** Versions of a server's rules that can be restored. */
const versionsKept = 50;
/** Calls of webhooks may be numerous, and their list shows only the latest. */
const storedCallsMs = 7 * 86_400_000;
const chunk = 500;

/**
 * Deletes obsolete rows: posted messages and their rows, older than the history; decided, expired and healed rows, and
 * records, older than any period that rules evaluate; all but the latest versions of rules; and observations of
 * channels without links. docs/operate/data.md says what is permanent. Returns the number of deleted rows.
 */
export async function pruneObsolete(
  context: Pick<BotContext, "database" | "clock" | "settings">,
): Promise<number> {
  const now = context.clock.now();
  const history = now - context.settings.history.seconds * 1000;
  const calls = now - storedCallsMs;
  const old = now - Math.max(longest, context.settings.history.seconds * 1000);
  const unlinked = sql`not exists (select from castellan.links where links.channel_id = old_row.channel_id)`;
  const open = sql`select from castellan.feed_rows as feed_row
    join castellan.events on events.id = feed_row.event_id
    join castellan.review_items as item on events.source_key = 'held ' || item.id and item.state = 'open'
    where feed_row.message_id = old_row.id`;
  const messages = sql`state <> 'bound' and settled_at_ms < ${history} and not exists (${open})
    and not exists (select from castellan.outbox where kind = 'edit' and key = old_row.id::text and state = 'waiting')`;
  const ordered: [table: string, which: RawBuilder<unknown>][] = [
    ["feed_rows", sql`message_id in (select id from castellan.feed_messages as old_row where ${messages})`],
    [
      "feed_messages",
      sql`${messages} and not exists (select from castellan.feed_rows where message_id = old_row.id)`,
    ],
    // A review's head stands for its other channels.
    [
      "review_items",
      sql`state <> 'open' and decided_at_ms < ${old} and not exists (
        select from castellan.review_items as other where other.head_id = old_row.id and other.state = 'open')`,
    ],
    // After the messages that they edited.
    ["outbox", sql`state <> 'waiting' and kind <> 'webhook' and settled_at_ms < ${history}`],
    ["outbox", sql`state <> 'waiting' and kind = 'webhook' and settled_at_ms < ${calls}`],
    // Requested while somebody removed the webhook.
    [
      "outbox",
      sql`state = 'waiting' and kind = 'webhook' and not exists (
        select from castellan.webhooks as hook where destination = 'webhook ' || hook.id)`,
    ],
    ["strikes", sql`expires_at_ms < ${old}`],
    ["records", sql`moderated_at < ${Math.floor(old / 1000)}`],
    ["records", unlinkedAmong("records")],
    ["gaps", sql`healed_at_ms is not null and found_at_ms < ${old}`],
    ["prompts", sql`expires_at_ms < ${now - 86_400_000}`],
    ["console_sessions", sql`expires_at_ms < ${now}`],
    ["api_requests", sql`requested_at_ms < ${now - 86_400_000}`],
    ["api_tokens", sql`coalesce(revoked_at_ms, expires_at_ms) < ${now - 30 * 86_400_000}`],
    [
      "rule_sets",
      sql`(guild_id, version) in (
        select guild_id, version from (
          select guild_id, version, max(version) over (partition by guild_id) as latest from castellan.rule_sets
        ) as versions where version <= latest - ${versionsKept}
      ) and not exists (select from castellan.rules_in_force as used
          where used.guild_id = old_row.guild_id and used.version = old_row.version)`,
    ],
    ["link_codes", sql`expires_at_ms < ${now - 86_400_000}`],
    [
      "code_casts",
      sql`not exists (select from castellan.link_codes as asked where asked.code = old_row.code)`,
    ],
    [
      "staff_proofs",
      sql`proven_at_ms < ${now - 86_400_000} and not exists (select from castellan.links
        where links.guild_id = old_row.guild_id and links.channel_id = old_row.channel_id)`,
    ],
    ["requested_parents", sql`requested_at_ms < ${now - 86_400_000}`],
    ["listing_entries", unlinkedAmong("listing_entries")],
    ["channel_snapshots", unlinked],
    // Its version is part of the keys of events it announced, so it can start again only when they are gone.
    [
      "sources",
      sql`channel_id is not null and ${unlinked}
        and not exists (select from castellan.events where events.channel_id = old_row.channel_id)`,
    ],
    ["set_aside_events", sql`set_aside_at_ms < ${old}`],
    // The budget covers an hour; rows from a clock that was ahead would never get that old.
    [
      "calls",
      sql`second not between ${Math.floor(now / 1000) - 7_200} and ${Math.floor(now / 1000) + 7_200}`,
    ],
    ["route_backoffs", sql`until_ms < ${now}`],
    ["upstream_backoffs", sql`announced_at_ms < ${now - 86_400_000}`],
  ];
  let pruned = 0;
  for (const [table, which] of ordered) pruned += await deleteAll(context, table, which);
  return pruned;
}

/**
 * Channels of a table that no server is linked to. They are few among many rows, so the table's index is read from one channel
 * to the next.
 */
function unlinkedAmong(table: "records" | "listing_entries"): RawBuilder<unknown> {
  const from = sql.table(`castellan.${table}`);
  return sql`channel_id = any(array(
    with recursive channels (id) as (
      (select channel_id from ${from} order by channel_id limit 1)
      union all
      select (select channel_id from ${from} where channel_id > channels.id order by channel_id limit 1)
      from channels where channels.id is not null
    )
    select id from channels where not exists (select from castellan.links where links.channel_id = channels.id)))`;
}

/** In short statements. */
async function deleteAll(
  { database }: Pick<BotContext, "database">,
  table: string,
  which: RawBuilder<unknown>,
): Promise<number> {
  const from = sql.table(`castellan.${table}`);
  for (let total = 0; ;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${from} where ctid = any(array(select ctid from ${from} as old_row where ${which} limit ${chunk}))
    `.execute(database.query);
    total += Number(numAffectedRows);
    if (numAffectedRows < chunk) return total;
  }
}
