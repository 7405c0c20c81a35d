import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import { packEvidence } from "../../observe/cast-body.ts";
import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import type { HeldAction } from "../actions/action.ts";
import type { CastBody } from "../../text/show-cast.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";

/** A rule's request for review. */
interface Holding {
  occurrence: Occurrence;
  /** As returned by `readSeen`. */
  evidence: CastBody | null;
  ruleId: string;
  version: number;
  queue: string;
  /** Why a rule in force did not act automatically. */
  why: string | null;
  actions: readonly HeldAction[];
}

/**
 * Queues something for review, once per rule and event: further channels of the server join the same review item and are
 * not announced again. Returns the event that announces a new item.
 */
export async function holdForReview(tx: Tx, clock: Clock, holding: Holding): Promise<NewChannelEvent[]> {
  const { occurrence, evidence, ruleId, version, queue, why, actions } = holding;
  const { guildId, channelId, event, authorFid } = occurrence;
  const castHash = "castHash" in event.data ? event.data.castHash : null;
  const depth = event.depth + 1;
  const head = await findHead(tx, guildId, event.id, ruleId);
  const item = await tx
    .insertInto("castellan.review_items")
    .values({
      guild_id: guildId,
      channel_id: channelId,
      queue,
      event_id: event.id,
      rule_id: ruleId,
      rule_version: version,
      depth,
      fid: authorFid,
      cast_hash: castHash,
      ...packEvidence(evidence),
      why,
      actions: JSON.stringify(actions),
      queued_at_ms: clock.now(),
      head_id: head ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!item) return [];
  if (head !== undefined) {
    return [
      newEvent(clock.now(), {
        sourceKey: `widened ${item.id}`,
        kind: "review.widened",
        channelId,
        depth,
        data: { guildId, itemId: head },
      }),
    ];
  }
  return [
    newEvent(clock.now(), {
      sourceKey: `held ${item.id}`,
      kind: "review.held",
      // Events without a channel are held in several, and announced in each room.
      channelId: event.channelId,
      subjectFid: authorFid,
      depth,
      data: { guildId, itemId: item.id, ruleId, queue },
    }),
  ];
}

/** The open review item for a rule and event; of two workers that hold it in two channels, one comes first. */
async function findHead(
  tx: Tx,
  guildId: string,
  eventId: number,
  ruleId: string,
): Promise<number | undefined> {
  await tx.selectFrom("castellan.events").select("id").where("id", "=", eventId).forUpdate().execute();
  const row = await tx
    .selectFrom("castellan.review_items")
    .select((query) => query.fn.coalesce("head_id", "id").as("head"))
    .where("event_id", "=", eventId)
    .where("rule_id", "=", ruleId)
    .where("guild_id", "=", guildId)
    .where("state", "=", "open")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.head;
}
