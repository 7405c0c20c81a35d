import type { ChannelEventOf, EventKind } from "../observe/event.ts";
import type { RuleText } from "./rule-text.ts";

/** Kinds of event that rules can listen to. */
export const ruleEvents = [
  "cast.created",
  "username_proof.merged",
  "record.hidden",
] as const satisfies EventKind[];
export type RuleEvent = (typeof ruleEvents)[number];

/** An event in one linked channel of one server, with what the store knows of it: what rules look at. */
export interface Occurrence {
  guildId: string;
  channelId: string;
  event: { [K in RuleEvent]: ChannelEventOf<K> }[RuleEvent];
  /** The cast's author, or the name's holder; null when the store does not know. */
  authorFid: number | null;
  /** The cast's text; null when there is none or the index does not have it. */
  text: RuleText | null;
  /** The name that a proof gives. */
  name: RuleText | null;
  /** The rule of this server whose action caused the event. */
  causedByRule: string | null;
}
