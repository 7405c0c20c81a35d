import { sql } from "kysely";
import { newEvent, type NewChannelEvent } from "../observe/events.ts";
import type { RuleContext } from "../rules/context.ts";
import { groupBy } from "../group-by.ts";

/** Milliseconds after which an unclaimed review is announced again … */
const remindAfterMs = 3600_000;
/** … and then milliseconds between repetitions. */
const again = 24 * 3600_000;
const batch = 500;

/**
 * Announces overdue reviews that can be decided, once per channel: without a link, or while it is suspended, nobody can.
 * Returns the number of items. Workers take turns.
 */
export async function remindOfReviews(
  context: Pick<RuleContext, "database" | "clock" | "appendEvents">,
): Promise<number> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const { rows } = await sql<Waiting>`
      with waiting as (
        select coalesce(item.head_id, item.id) as id, (array_agg(item.channel_id order by item.id))[1] as channel_id
        from castellan.review_items as item join castellan.links as link on link.guild_id = item.guild_id
          and link.channel_id = item.channel_id and link.suspended_at_ms is null
        where item.state = 'open' and item.queued_at_ms <= ${now - remindAfterMs}
        group by coalesce(item.head_id, item.id)
      ), due as materialized (
        select head.id, waiting.channel_id from castellan.review_items as head join waiting on waiting.id = head.id
        where coalesce(claimed_at_ms, 0) <= ${now - remindAfterMs} and coalesce(reminded_at_ms, 0) <= ${now - again}
        order by head.id limit ${batch} for update of head
      )
      update castellan.review_items as item set reminded_at_ms = ${now} from due where item.id = due.id
      returning item.id, item.queue, item.guild_id as "guildId", due.channel_id as "channelId",
        item.queued_at_ms as "queuedAtMs"
    `.execute(tx);
    const inOrder = rows.toSorted((one, other) => one.id - other.id);
    const byChannel = groupBy(inOrder, ({ guildId, channelId }) => `${guildId} ${channelId}`);
    const events = [...byChannel.values()].map((items) => toReminder(items, now));
    await context.appendEvents(tx, events);
    return rows.length;
  });
}

interface Waiting {
  id: number;
  queue: string;
  guildId: string;
  channelId: string;
  queuedAtMs: number;
}

function toReminder(items: [Waiting, ...Waiting[]], now: number): NewChannelEvent {
  const [{ guildId, channelId, id: first, queuedAtMs }] = items;
  return newEvent(now, {
    sourceKey: `waiting ${first} ${now}`,
    kind: "review.waiting",
    channelId,
    data: {
      guildId,
      items: items.map(({ id, queue }) => ({ id, queue })),
      oldestAt: Math.floor(queuedAtMs / 1000),
    },
  });
}
