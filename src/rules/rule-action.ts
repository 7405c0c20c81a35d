import type { Tx } from "../database/database.ts";

/** An action that a rule in force decided on, for one server's link to the channel. */
export interface RuleAction {
  guildId: string;
  channelId: string;
  /** The event that the rule fired on; with ruleId and actionIndex it makes the action unique. */
  eventId: number;
  ruleId: string;
  ruleVersion: number;
  actionIndex: number;
  /** Depth of the case's own consequences: the event's depth + 1. */
  depth: number;
  action:
    | { kind: "hide"; castHash: string }
    | { kind: "ban"; fid: number; reason: string | null; forSeconds: number | null };
  /** The text that the rule saw. */
  evidence: string | null;
}

/** Writes the case of a rule's action, once however often it is asked; gives its id. Moderation provides it. */
export type ProposeRuleAction = (tx: Tx, action: RuleAction) => Promise<number>;
