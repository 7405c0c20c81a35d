// @ts-nocheck
import type { Tx } from "../../database/database.ts";
import type { NetworkDeed } from "./deed.ts";

/** Where an action comes from, for one server's link to the channel. */
export interface ActionOrigin {
  guildId: string;
  channelId: string;
  /** The event that the rule fired on; with ruleId and actionIndex it makes the action unique. */
  eventId: number;
  ruleId: string;
  ruleVersion: number;
  actionIndex: number;
  /** Depth of the action's own consequences: the event's depth + 1. */
  depth: number;
  /** The text that the rule saw. */
  evidence: string | null;
  /** Who let it through, where it was held for a person. */
  approvedBy?: {
    userId: string;
    fid: number | undefined;
  };
}

/** An action on the network that a rule in force decided on. */
export interface RuleAction extends ActionOrigin {
  action: NetworkDeed;
}

/** The case of a rule's action, or why it needs none: what it asks for is so because of an earlier one. */
export type ProposedCase = {
  caseId: number;
} | {
  needless: string;
};

/** Writes the case of a rule's action, once however often it is asked. Moderation provides it. */
export type ProposeRuleAction = (tx: Tx, action: RuleAction) => Promise<ProposedCase>;