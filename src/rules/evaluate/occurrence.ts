import type { ChannelEventOf, EventKind } from "../../observe/events.ts";
import type { RuleText } from "../text/rule-text.ts";

/** Events about a cast, which has an author and a text. */
export const castEvents = [
  "cast.created",
  "cast.removed",
  "record.hidden",
  "record.unhidden",
] as const satisfies EventKind[];

/** Events with a text: the pinned cast has one too. */
export const textEvents = [...castEvents, "pin.changed"] as const satisfies EventKind[];

/** Events about a user: whoever wrote the cast, holds the name, was banned, invited, and so on. */
export const userEvents = [
  ...castEvents,
  "username_proof.merged",
  "user.banned",
  "user.unbanned",
  "user.restricted",
  "member.joined",
  "member.left",
  "invite.created",
  "follower.added",
  "strike.added",
] as const satisfies EventKind[];

/** Events about the channel, and about nobody. */
export const channelEvents = ["pin.changed", "timer.fired"] as const satisfies EventKind[];

/** Kinds of event that rules can listen to. */
export const ruleEvents = [...userEvents, ...channelEvents] as const;
export type RuleEvent = (typeof ruleEvents)[number];

export function isAboutUser(kind: RuleEvent): boolean {
  return userEvents.some((one) => one === kind);
}

/** In place of an event's id, where a cast came before its channel was linked: only rehearsals look at those. */
export const beforeLink = 0;

/** An event in one linked channel of one server, with what the store knows of it: what rules look at. */
export interface Occurrence {
  guildId: string;
  channelId: string;
  event: { [K in RuleEvent]: ChannelEventOf<K> }[RuleEvent];
  /** The user that it is about; null when the store does not know, and for events about nobody. */
  authorFid: number | null;
  /** The cast's text; null when there is none or the index does not have it. */
  text: RuleText | null;
  /** What else is known of the cast. */
  cast: RuleCast | null;
  /** The name that a proof gives. */
  name: RuleText | null;
  /** The rule of this server whose action caused the event. */
  causedByRule: string | null;
}

export interface RuleCast {
  hash: string;
  /** Addresses that it embeds. */
  embeds: readonly string[];
  /** 0 where it is not a reply. */
  threadDepth: number;
  /** How many users it mentions; null where only the index knows the cast, for it does not store mentions. */
  mentions: number | null;
}
