import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import { afterCommit } from "../../database/transactions.ts";
import type { ChannelEvent } from "../../observe/events.ts";
import { requestEditsOf } from "../request-edits.ts";

/** Has posts about a bulk edited when they are out of date: a subscriber of the transaction that stores events. */
export function refreshBulks({ clock, wake }: Pick<BotContext, "clock" | "wake">) {
  return async (tx: Tx, events: readonly ChannelEvent[]): Promise<void> => {
    const told = events.flatMap(({ kind, data }) => (kind === "bulk.changed" ? [`bulk ${data.bulkId}`] : []));
    if (told.length === 0) return;
    const hasPosts = await requestEditsOf(tx, told, clock.now());
    if (hasPosts) afterCommit(() => void wake("send-outbox"));
  };
}
