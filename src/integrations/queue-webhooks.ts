import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import type { WebhookEvent } from "../database/tables/outbox.ts";
import { afterCommit } from "../database/transactions.ts";
import { feedKindOf, isAnnounced } from "../feed/feed-kinds.ts";
import type { ChannelEvent } from "../observe/events.ts";
import { requestWebhooks, type WebhookCause } from "../outbox/request-webhooks.ts";

/** A call of each webhook that wants an event: a subscriber of the transaction that stores events. */
export function queueWebhooks({ wake }: Pick<BotContext, "wake">) {
  return async (tx: Tx, events: readonly ChannelEvent[]): Promise<void> => {
    const causes = events.flatMap(toCause);
    const destinations = await requestWebhooks(
      tx,
      causes,
      Math.max(...events.map((event) => event.observedAt)),
    );
    afterCommit(() => {
      for (const destination of destinations) void wake("call-webhooks", destination);
    });
  };
}

function toCause(event: ChannelEvent): WebhookCause[] {
  const name = nameOf(event);
  if (name === undefined) return [];
  const guildId = "guildId" in event.data ? event.data.guildId : null;
  return [{ guildId, channelId: event.channelId, event: name, subject: event.id }];
}

function nameOf(event: ChannelEvent): WebhookEvent | undefined {
  if (event.kind === "case.settled" || event.kind === "rule.hit") return event.kind;
  if (event.kind === "review.held" || event.kind === "review.widened") return "review.opened";
  return isAnnounced(event) && feedKindOf[event.kind] === "health" ? "health" : undefined;
}
