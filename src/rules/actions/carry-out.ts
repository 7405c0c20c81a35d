import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import {
  isNetworkAction,
  ownActionKey,
  type Action,
  type ActionOrigin,
  type OwnAction,
  type ProposeRuleAction,
} from "./action.ts";
import { giveStrike, writeNote } from "./strikes-and-notes.ts";

export interface ActContext {
  clock: Clock;
  propose: ProposeRuleAction;
}

/** The result of an action: a case, events, or why it was impossible or unnecessary. */
export interface CarriedOut {
  caseId: number | null;
  events: NewChannelEvent[];
  impossible?: string;
  noChange?: string;
}

/** Carries out an action, once per origin even if called again. `fid` is the subject of the rule's event. */
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
  const { guildId, channelId } = origin;
  switch (action.kind) {
    case "strike": {
      const { points, ttlSeconds } = action;
      const person = { guildId, channelId, fid: action.fid };
      const strike = { points, forSeconds: ttlSeconds ?? undefined, origin };
      const given = await giveStrike(tx, clock, person, strike);
      return { caseId: null, events: given ? [given.event] : [] };
    }
    case "note":
      await writeNote(tx, clock, { guildId, channelId, fid: action.fid }, { text: action.text, origin });
      return { caseId: null, events: [] };
    case "alert":
      return raiseAlert(tx, clock, origin, fid, action);
  }
}

async function raiseAlert(
  tx: Tx,
  clock: Clock,
  origin: ActionOrigin,
  fid: number | null,
  { text, roomId }: Extract<OwnAction, { kind: "alert" }>,
): Promise<CarriedOut> {
  const { eventId, guildId, channelId, ruleId } = origin;
  if (roomId !== null && !(await hasFeed(tx, guildId, roomId))) {
    const impossible = `Room ${roomId} has no feed of this server; /feed add adds one.`;
    return { caseId: null, events: [], impossible };
  }
  const event = newEvent(clock.now(), {
    sourceKey: `alert ${ownActionKey(origin)}`,
    kind: "rule.alert",
    channelId,
    subjectFid: fid,
    depth: origin.depth,
    data: { guildId, ruleId, text, eventId, ...(roomId !== null && { roomId }) },
  });
  return { caseId: null, events: [event] };
}

/** A rule file belongs to one server: it must not post in another server's rooms. */
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
