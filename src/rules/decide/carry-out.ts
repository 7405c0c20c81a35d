import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import {
  isNetworkAction,
  type Action,
  type ActionOrigin,
  type OwnAction,
  type ProposeRuleAction,
} from "../actions/action.ts";
import { countStrikes } from "./strikes-and-notes.ts";

export interface ActContext {
  clock: Clock;
  propose: ProposeRuleAction;
}

/** What came of an action: a case, events, or why it could not be done, or need not be. */
export interface CarriedOut {
  caseId: number | null;
  events: NewChannelEvent[];
  impossible?: string;
  needless?: string;
}

/** Does an action, once for its origin however often it is asked. `fid` is whom the rule's event is about. */
export async function carryOut(
  tx: Tx,
  { clock, propose }: ActContext,
  origin: ActionOrigin,
  fid: number | null,
  action: Action,
): Promise<CarriedOut> {
  if (isNetworkAction(action)) {
    return { caseId: null, ...(await propose(tx, { ...origin, action })), events: [] };
  }
  switch (action.kind) {
    case "strike":
      return { caseId: null, events: await giveStrike(tx, clock, origin, action) };
    case "note":
      await writeNote(tx, clock, origin, action);
      return { caseId: null, events: [] };
    case "alert":
      return raiseAlert(tx, clock, origin, fid, action);
  }
}

/** Gives points, once for their origin; the event says how many count now. */
async function giveStrike(
  tx: Tx,
  clock: Clock,
  origin: ActionOrigin,
  { fid, points, ttlSeconds }: Extract<OwnAction, { kind: "strike" }>,
): Promise<NewChannelEvent[]> {
  const { guildId, channelId, eventId, ruleId, actionIndex } = origin;
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
      event_id: eventId,
      rule_id: ruleId,
      rule_version: origin.ruleVersion,
      action_index: actionIndex,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return [];
  const total = await countStrikes(tx, clock, guildId, channelId, fid);
  return [
    newEvent(now, {
      sourceKey: `strike ${eventId} ${guildId} ${channelId} ${ruleId} ${actionIndex}`,
      kind: "strike.added",
      channelId,
      subjectFid: fid,
      depth: origin.depth,
      data: { guildId, ruleId, points, total, eventId },
    }),
  ];
}

async function writeNote(
  tx: Tx,
  clock: Clock,
  origin: ActionOrigin,
  { fid, text }: Extract<OwnAction, { kind: "note" }>,
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
  { text, roomId }: Extract<OwnAction, { kind: "alert" }>,
): Promise<CarriedOut> {
  const { eventId, guildId, channelId, ruleId, actionIndex } = origin;
  if (roomId !== null && !(await hasFeed(tx, guildId, roomId))) {
    const impossible = `Room ${roomId} has no feed of this server; /feed add adds one.`;
    return { caseId: null, events: [], impossible };
  }
  const event = newEvent(clock.now(), {
    sourceKey: `alert ${eventId} ${guildId} ${channelId} ${ruleId} ${actionIndex}`,
    kind: "rule.alert",
    channelId,
    subjectFid: fid,
    depth: origin.depth,
    data: { guildId, ruleId, text, eventId, ...(roomId !== null && { roomId }) },
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
