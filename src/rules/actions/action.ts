import type { z } from "zod";
import type { Doer } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import type { ActionSource } from "../../database/tables/bot.ts";
import type { CastBody } from "../../text/show-cast.ts";
import type { Occurrence, RuleEvent } from "../evaluate/occurrence.ts";

/** What is asked of the network: moderation makes a case of it. */
export type NetworkAction =
  | { kind: "hide" | "unhide" | "pin"; castHash: string }
  /** null for whatever is pinned. */
  | { kind: "unpin"; castHash: string | null }
  | { kind: "ban"; fid: number; reason: string | null; forSeconds: number | null }
  | { kind: "unban" | "remove_member" | "invite"; fid: number };

/** What rules do without the network. */
export type OwnAction =
  | { kind: "strike"; fid: number; points: number; ttlSeconds: number | null }
  | { kind: "note"; fid: number; text: string }
  /** For one room, or for all that hear of rules. */
  | { kind: "alert"; text: string; roomId: string | null };

/** What can be done, with or without a person's approval. */
export type Action = NetworkAction | OwnAction;

const networkKinds = [
  "hide",
  "unhide",
  "pin",
  "unpin",
  "ban",
  "unban",
  "remove_member",
  "invite",
] as const satisfies NetworkAction["kind"][];

export function isNetworkAction(action: Action): action is NetworkAction {
  return networkKinds.some((kind) => kind === action.kind);
}

/** What a planned action comes to on one event: something to do, to hold for a person, or why it cannot be. */
type Aimed = Action | { kind: "review"; queue: string | null } | { impossible: string };

/** An action of a rule, with its parameters. */
export interface PlannedAction {
  /** What is done, for people: "hide the cast". */
  sentence: string;
  aim(occurrence: Occurrence): Aimed;
}

/** A kind of action. */
export interface ActionKind {
  name: string;
  /** Events that have what it acts on. */
  events: readonly RuleEvent[];
  /** Its parameters, made into the action. */
  schema: z.ZodType<PlannedAction>;
}

/** An aim at the event's cast. */
export function atCast(act: (castHash: string) => Action): PlannedAction["aim"] {
  return ({ event: { data } }) => {
    const castHash = "castHash" in data ? data.castHash : null;
    return castHash === null ? { impossible: "The event is not about a cast." } : act(castHash);
  };
}

/** An aim at the event's author. */
export function atAuthor(act: (fid: number) => Action): PlannedAction["aim"] {
  return ({ authorFid }) =>
    authorFid === null ? { impossible: "The author is not known." } : act(authorFid);
}

/** Whether a rule can do something about an event, and not only hold it for a person. */
export function actsOn(actions: readonly PlannedAction[], occurrence: Occurrence): boolean {
  return actions.some((action) => {
    const aimed = action.aim(occurrence);
    return !("impossible" in aimed) && aimed.kind !== "review";
  });
}

/** Where an action comes from, for one server's link to the channel. */
export interface ActionOrigin {
  guildId: string;
  channelId: string;
  /** The event that the rule fired on; with the rule's id and the three numbers of the action it makes that unique. */
  eventId: number;
  ruleId: string;
  ruleVersion: number;
  /** Which of the rule's actions, or of those that a person chose instead. */
  actionIndex: number;
  actionSource: ActionSource;
  /** How often the review that asks for it was reopened; 0 where there is none. */
  reviewRound: number;
  /** Depth of the action's own consequences: the event's depth + 1. */
  depth: number;
  /** The cast, or the name, that the rule saw. */
  evidence: CastBody | null;
  /** Who approved it, where it was held for a person. */
  approvedBy?: Doer;
}

/** Tells a rule's action without the network, which nobody chooses instead and nothing takes back, from all others. */
export function ownActionKey(origin: ActionOrigin): string {
  const { eventId, guildId, channelId, ruleId, actionIndex, reviewRound } = origin;
  const round = reviewRound === 0 ? "" : ` round ${reviewRound}`;
  return `${eventId} ${guildId} ${channelId} ${ruleId} ${actionIndex}${round}`;
}

/** An action on the network that a rule in force decided on. */
export interface RuleAction extends ActionOrigin {
  action: NetworkAction;
}

/** The case of a rule's action, or why it needs none: an earlier one did the same. */
export type ProposedCase = { caseId: number } | { noChange: string };

/** Writes the case of a rule's action, once however often it is asked. Moderation provides it. */
export type ProposeRuleAction = (tx: Tx, action: RuleAction) => Promise<ProposedCase>;

/** An action that waits for a person. */
export interface HeldAction {
  actionIndex: number;
  sentence: string;
  action: Action;
}
