import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { newEvent } from "../observe/events.ts";
import type { packEvidence } from "../observe/cast-body.ts";
import type { HeldAction } from "../rules/actions/action.ts";
import { idOfSource } from "../text/review-sources.ts";

/** The queue of what people bring to review. */
const queues = { report: "reports", appeal: "appeals" } as const;

/** An item that people bring to review: a reported cast, or an appeal. */
export interface BroughtItem {
  guildId: string;
  channelId: string;
  source: keyof typeof queues;
  fid: number;
  castHash: string | null;
  evidence: Partial<ReturnType<typeof packEvidence>>;
  actions: readonly HeldAction[];
}

/** Stores an item, which is to be announced in the same transaction, and returns its number. */
export async function insertItem(tx: Tx, item: BroughtItem, queuedAtMs: number): Promise<number> {
  const { id } = await tx
    .insertInto("castellan.review_items")
    .values({
      guild_id: item.guildId,
      channel_id: item.channelId,
      queue: queues[item.source],
      // Until it is announced; the lock keeps this server from inserting another in the meantime.
      event_id: 0,
      rule_id: idOfSource[item.source],
      rule_version: 0,
      depth: 1,
      fid: item.fid,
      cast_hash: item.castHash,
      ...item.evidence,
      why: null,
      actions: JSON.stringify(item.actions),
      queued_at_ms: queuedAtMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Announces an item. Last in its transaction, except for the item: the event is the cause of any decision about it. */
export async function announceItem(
  { clock, appendEvents }: Pick<BotContext, "clock" | "appendEvents">,
  tx: Tx,
  itemId: number,
  { guildId, channelId, source, fid }: BroughtItem,
): Promise<void> {
  const data = { guildId, itemId, ruleId: idOfSource[source], queue: queues[source] };
  const event = {
    sourceKey: `held ${itemId}`,
    kind: "review.held",
    channelId,
    subjectFid: fid,
    data,
  } as const;
  const [stored] = await appendEvents(tx, [newEvent(clock.now(), event)]);
  if (!stored) throw new Error("an item was already announced");
  await tx
    .updateTable("castellan.review_items")
    .set({ event_id: stored.id })
    .where("id", "=", itemId)
    .execute();
}
