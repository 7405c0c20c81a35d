import type { z } from "zod";
import type { Doer } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import type { ActionSource } from "../../database/tables/bot.ts";
import type { CastBody } from "../../text/show-cast.ts";
import type { Occurrence, RuleEvent } from "../evaluate/occurrence.ts";

/** Actions on the network. Moderation opens a case for each. */
export type NetworkAction =
  | { kind: "hide" | "unhide" | "pin"; castHash: string }
  /** null unpins any pinned cast. */
  | { kind: "unpin"; castHash: string | null }
  | {
      kind: "ban";
      fid: number;
      reason: string | null;
      forSeconds: number | null;
      /** Hides their own casts in the channel, too: the ban hides only replies. */
      hideCasts?: true;
    }
  | { kind: "unban" | "remove_member" | "invite"; fid: number };

/** Actions of rules without the network. */
export type OwnAction =
  | { kind: "strike"; fid: number; points: number; ttlSeconds: number | null }
  | { kind: "note"; fid: number; text: string }
  /** For one room, or for all that subscribe to rules. */
  | { kind: "alert"; text: string; roomId: string | null };

/** All actions, with or without a person's approval. */
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

/** A planned action on one event: an action to take or to review, or why it is impossible. */
type Aimed = Action | { kind: "review"; queue: string | null } | { impossible: string };

/** An action of a rule, with its parameters. */
export interface PlannedAction {
  /** The action in words: "hide the cast". */
  sentence: string;
  aim(occurrence: Occurrence): Aimed;
}

/** A kind of action. */
export interface ActionKind {
  name: string;
  /** Events that have a target for it. */
  events: readonly RuleEvent[];
  /** Parses its parameters into the action. */
  schema: z.ZodType<PlannedAction>;
}

/** Targets the event's cast. */
export function atCast(act: (castHash: string) => Action): PlannedAction["aim"] {
  return ({ event: { data } }) => {
    const castHash = "castHash" in data ? data.castHash : null;
    return castHash === null ? { impossible: "The event is not about a cast." } : act(castHash);
  };
}

/** Targets the event's author. */
export function atAuthor(act: (fid: number) => Action): PlannedAction["aim"] {
  return ({ authorFid }) =>
    authorFid === null ? { impossible: "The author is not known." } : act(authorFid);
}

/** Whether a rule can act on an event, beyond queueing it for review. */
export function actsOn(actions: readonly PlannedAction[], occurrence: Occurrence): boolean {
  return actions.some((action) => {
    const aimed = action.aim(occurrence);
    return !("impossible" in aimed) && aimed.kind !== "review";
  });
}

/** The origin of an action, for one server's link to the channel. */
export interface ActionOrigin {
  guildId: string;
  channelId: string;
  /** The event on which the rule fired. With the rule's id and the action's three numbers it identifies the action. */
  eventId: number;
  ruleId: string;
  ruleVersion: number;
  /** Which of the rule's actions, or of those that a moderator chose instead. */
  actionIndex: number;
  actionSource: ActionSource;
  /** How often the review that requested it was reopened; 0 without a review. */
  reviewRound: number;
  /** Depth of the action's own consequences: the event's depth + 1. */
  depth: number;
  /** The cast or name that the rule saw. */
  evidence: CastBody | null;
  /** The moderator who approved it, if it was reviewed. */
  approvedBy?: Doer;
}

/** The key of a rule's action without the network, which cannot be replaced or undone. */
export function ownActionKey(origin: ActionOrigin): string {
  const { eventId, guildId, channelId, ruleId, actionIndex, reviewRound } = origin;
  const round = reviewRound === 0 ? "" : ` round ${reviewRound}`;
  return `${eventId} ${guildId} ${channelId} ${ruleId} ${actionIndex}${round}`;
}

/** An action on the network of a rule in force, or of a decided review. */
export interface RuleAction extends ActionOrigin {
  action: NetworkAction;
}

/** The case of a rule's action, or why it needs none: an earlier action had the same effect. */
export type ProposedCase = { caseId: number } | { noChange: string };

/** Writes the case of a rule's action; later calls for the same action change nothing. Moderation provides it. */
export type ProposeRuleAction = (tx: Tx, action: RuleAction) => Promise<ProposedCase>;

/** An action waiting for a decision. */
export interface HeldAction {
  actionIndex: number;
  sentence: string;
  action: Action;
}
