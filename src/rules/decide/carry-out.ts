import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../../observe/event.ts";
import { giveStrike } from "../actions/give-strike.ts";
import { isNetworkDeed, type DoableDeed, type OwnDeed } from "./deed.ts";
import type { ActionOrigin, ProposeRuleAction } from "./rule-action.ts";

export interface Actors {
  clock: Clock;
  propose: ProposeRuleAction;
}

/** What came of an action: a case, events that tell of it, or why it could not be, or need not. */
export interface CarriedOut {
  caseId: number | null;
  events: NewChannelEvent[];
  impossible?: string;
  needless?: string;
}

/** Does an action, once for its origin however often it is asked. `fid` is whom the rule's event is about. */
export async function carryOut(
  tx: Tx,
  { clock, propose }: Actors,
  origin: ActionOrigin,
  fid: number | null,
  deed: DoableDeed,
): Promise<CarriedOut> {
  if (isNetworkDeed(deed)) {
    return { caseId: null, ...(await propose(tx, { ...origin, action: deed })), events: [] };
  }
  switch (deed.kind) {
    case "strike":
      return { caseId: null, events: await giveStrike(tx, clock, origin, deed) };
    case "note":
      await writeNote(tx, clock, origin, deed);
      return { caseId: null, events: [] };
    case "alert":
      return raiseAlert(tx, clock, origin, fid, deed);
  }
}

async function writeNote(
  tx: Tx,
  clock: Clock,
  origin: ActionOrigin,
  { fid, text }: Extract<OwnDeed, { kind: "note" }>,
): Promise<void> {
  await tx
    .insertInto("castellan.user_notes")
    .values({
      guild_id: origin.guildId,
      channel_id: origin.channelId,
      fid,
      text,
      written_at_ms: clock.now(),
      event_id: origin.eventId,
      rule_id: origin.ruleId,
      action_index: origin.actionIndex,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function raiseAlert(
  tx: Tx,
  clock: Clock,
  origin: ActionOrigin,
  fid: number | null,
  { text, roomId }: Extract<OwnDeed, { kind: "alert" }>,
): Promise<CarriedOut> {
  const { eventId, guildId, channelId, ruleId, actionIndex } = origin;
  if (roomId !== null && !(await hasFeed(tx, guildId, roomId))) {
    const impossible = `Room ${roomId} has no feed of this server: /feed add gives it one.`;
    return { caseId: null, events: [], impossible };
  }
  const event = newEvent(clock.now(), {
    sourceKey: `alert ${eventId} ${guildId} ${channelId} ${ruleId} ${actionIndex}`,
    kind: "rule.alert",
    channelId,
    subjectFid: fid,
    depth: origin.depth,
    data: { guildId, ruleId, text, ...(roomId !== null && { roomId }) },
  });
  return { caseId: null, events: [event] };
}

/** A rule file is a server's own: it may not write into another's rooms. */
async function hasFeed(tx: Tx, guildId: string, roomId: string): Promise<boolean> {
  const feed = await tx
    .selectFrom("castellan.feeds")
    .select("id")
    .where("guild_id", "=", guildId)
    .where("room_id", "=", roomId)
    .where("ended_at_ms", "is", null)
    .executeTakeFirst();
  return feed !== undefined;
}
