import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../../observe/event.ts";
import type { DoableDeed } from "../decide/deed.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { ActionOrigin } from "../decide/rule-action.ts";

/** An action that waits for a person. */
export interface HeldDeed {
  actionIndex: number;
  sentence: string;
  deed: DoableDeed;
}

/** What a rule wants a person to decide on. */
export interface Holding {
  occurrence: Occurrence;
  ruleId: string;
  version: number;
  queue: string;
  /** Why a rule that acts did not. */
  why: string | null;
  deeds: readonly HeldDeed[];
}

/** Holds something for a person, once for a rule and an event; gives the news of it, none when it is held already. */
export async function holdForReview(tx: Tx, clock: Clock, holding: Holding): Promise<NewChannelEvent[]> {
  const { occurrence, ruleId, version, queue, why, deeds } = holding;
  const { guildId, channelId, event, authorFid, text, name } = occurrence;
  const castHash = "castHash" in event.data ? event.data.castHash : null;
  const depth = event.depth + 1;
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
      evidence: (text ?? name)?.raw ?? null,
      why,
      deeds: JSON.stringify(deeds),
      held_at_ms: clock.now(),
      claimed_by: null,
      claimed_at_ms: null,
      reminded_at_ms: null,
      decided_by: null,
      decided_at_ms: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!item) return [];
  return [
    newEvent(clock.now(), {
      sourceKey: `held ${item.id}`,
      kind: "review.held",
      channelId,
      subjectFid: authorFid,
      depth,
      data: { guildId, itemId: item.id, ruleId, queue },
    }),
  ];
}

/** Where a held action comes from. */
export function originOf(
  item: {
    guild_id: string;
    channel_id: string;
    event_id: number;
    rule_id: string;
    rule_version: number;
    depth: number;
    evidence: string | null;
  },
  actionIndex: number,
): ActionOrigin {
  return {
    guildId: item.guild_id,
    channelId: item.channel_id,
    eventId: item.event_id,
    ruleId: item.rule_id,
    ruleVersion: item.rule_version,
    actionIndex,
    depth: item.depth,
    evidence: item.evidence,
  };
}
