import type { ChannelEventOf, EventKind } from "../../observe/events.ts";
import type { RuleText } from "../text/rule-text.ts";

/** Events about a cast, which has an author and a text. */
export const castEvents = [
  "cast.created",
  "cast.removed",
  "record.hidden",
  "record.unhidden",
] as const satisfies EventKind[];

/** Events with a text, including the pinned cast's. */
export const textEvents = [...castEvents, "pin.changed"] as const satisfies EventKind[];

/** Events about a user: the cast's author, the name's holder, the banned or invited user, and so on. */
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

/** Events about the channel, without a user. */
export const channelEvents = ["pin.changed", "timer.fired"] as const satisfies EventKind[];

/** All kinds of event that rules can use. */
export const ruleEvents = [...userEvents, ...channelEvents] as const;
export type RuleEvent = (typeof ruleEvents)[number];

export function isAboutUser(kind: RuleEvent): boolean {
  return userEvents.some((one) => one === kind);
}

/** Replaces the event id of a cast from before its channel's link: only rehearsals use those. */
export const beforeLink = 0;

/** An event in one linked channel of one server, with stored facts: the input of rules. */
export interface Occurrence {
  guildId: string;
  channelId: string;
  event: { [K in RuleEvent]: ChannelEventOf<K> }[RuleEvent];
  /** The event's user; null if unknown, and for events without a user. */
  authorFid: number | null;
  /** The cast's text; null if there is none or it is not indexed. */
  text: RuleText | null;
  /** Other known facts about the cast. */
  cast: RuleCast | null;
  /** The name in a proof. */
  name: RuleText | null;
  /** The rule of this server whose action caused the event. */
  causedByRule: string | null;
}

export interface RuleCast {
  hash: string;
  /** Embedded addresses. */
  embeds: readonly string[];
  /** 0 if it is not a reply. */
  threadDepth: number;
  /** The number of mentions; null if only the index knows the cast, because it does not store mentions. */
  mentions: number | null;
}
