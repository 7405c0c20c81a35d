import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../../observe/event.ts";
import type { OwnDeed } from "../decide/deed.ts";
import { countStrikes } from "../facts/marks.ts";
import type { ActionOrigin } from "../decide/rule-action.ts";

/** Gives points once, however often it is asked, and tells how many count now. */
export async function giveStrike(
  tx: Tx,
  clock: Clock,
  origin: ActionOrigin,
  { fid, points, ttlSeconds }: Extract<OwnDeed, { kind: "strike" }>,
): Promise<NewChannelEvent[]> {
  const { guildId, channelId, ruleId } = origin;
  const now = clock.now();
  const inserted = await tx
    .insertInto("castellan.strikes")
    .values({
      guild_id: guildId,
      channel_id: channelId,
      fid,
      points,
      given_at_ms: now,
      expires_at_ms: ttlSeconds === null ? null : now + ttlSeconds * 1000,
      event_id: origin.eventId,
      rule_id: ruleId,
      rule_version: origin.ruleVersion,
      action_index: origin.actionIndex,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return [];
  const total = await countStrikes(tx, clock, guildId, channelId, fid);
  return [
    newEvent(now, {
      sourceKey: `strike ${keyOf(origin)}`,
      kind: "strike.added",
      channelId,
      subjectFid: fid,
      depth: origin.depth,
      data: { guildId, ruleId, points, total },
    }),
  ];
}

function keyOf({ eventId, guildId, channelId, ruleId, actionIndex }: ActionOrigin): string {
  return [eventId, guildId, channelId, ruleId, actionIndex].join(" ");
}
