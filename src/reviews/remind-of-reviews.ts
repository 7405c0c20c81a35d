import { sql } from "kysely";
import { newEvent, type NewChannelEvent } from "../observe/events.ts";
import type { RuleContext } from "../rules/context.ts";
import { groupBy } from "../group-by.ts";

/** Milliseconds after which an unclaimed review is announced again … */
const remindAfterMs = 3600_000;
/** … and then milliseconds between repetitions. */
const again = 24 * 3600_000;
const batch = 500;

/** Announces overdue reviews, once per channel; returns the number of items. Workers take turns. */
export async function remindOfReviews(
  context: Pick<RuleContext, "database" | "clock" | "appendEvents">,
): Promise<number> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const { rows } = await sql<Waiting>`
      with due as materialized (
        select id from castellan.review_items
        where id in (select coalesce(head_id, id) from castellan.review_items
            where state = 'open' and queued_at_ms <= ${now - remindAfterMs})
          and coalesce(claimed_at_ms, 0) <= ${now - remindAfterMs} and coalesce(reminded_at_ms, 0) <= ${now - again}
        order by id limit ${batch} for update
      )
      update castellan.review_items as item set reminded_at_ms = ${now} from due where item.id = due.id
      returning item.id, item.queue, item.guild_id as "guildId", item.channel_id as "channelId",
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
