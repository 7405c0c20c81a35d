import type { Rule } from "../../src/rules/evaluate/rule-set.ts";
import type { RuleRecord } from "../../src/reviews/rule-record.ts";
import type { ExplainedVerdict } from "../../src/rules/explain/explain-event.ts";
import { findStarter } from "../../src/rules/starter/starter-rules.ts";
import { castellan } from "../../src/rules/versions/rules-of-server.ts";
import { showUser } from "../../src/text/show-doer.ts";
import { formatExactDuration } from "../../src/text/duration.ts";
import { escapeText, inlineCode, nameSome } from "../../src/text/message-text.ts";

export const modeWords = {
  off: "⚪ off",
  shadow: "🔵 shadow",
  review: "🟡 review",
  enforce: "🔴 enforce",
} as const satisfies Record<Rule["mode"], string>;

/** The outcome of a rule's action. */
export const outcomeWords = {
  acted: "acted",
  would_have: "would have acted",
  unknown: "could not tell",
  too_old: "did not act",
  paused: "did not act",
  impossible: "could not act",
  held: "held for review",
  cooling: "did not act",
  postponed: "checked again later",
} as const satisfies Record<ExplainedVerdict["actions"][number]["outcome"], string>;

/** One line for lists: mode, id, where, what it looks for, and what it does. A starter rule is described as where it is offered. */
export function describeRule(rule: Rule): string {
  const { id, mode, channels, looksFor, actions, entry } = rule;
  const sentences = actions.map((action) => inlineCode(action.sentence, 80)).join(", ");
  const condition = looksFor === "" ? "" : `, if ${escapeText(looksFor, 200)}`;
  const what = findStarter(entry)?.what ?? `${describeEvents(rule)}${condition}`;
  return `${modeWords[mode]} **${id}** · ${describeChannels(channels)}: ${what} → ${sentences}`;
}

const eventWords: Record<Exclude<Rule["on"][number], "timer.fired">, string> = {
  "cast.created": "when somebody casts",
  "cast.removed": "when a cast is removed",
  "record.hidden": "when a cast is hidden",
  "record.unhidden": "when a cast is shown again",
  "username_proof.merged": "when somebody takes a name",
  "user.banned": "when a user is banned",
  "user.unbanned": "when a ban ends",
  "user.restricted": "when a user is restricted",
  "member.joined": "when a member joins",
  "member.left": "when a member leaves",
  "invite.created": "when somebody is invited",
  "follower.added": "when somebody follows the channel",
  "strike.added": "when a user gets a strike",
  "pin.changed": "when the pin changes",
};

function describeEvents({ on, timers }: Pick<Rule, "on" | "timers">): string {
  const words = on.flatMap((event) =>
    event === "timer.fired"
      ? timers.map((seconds) => `every ${formatExactDuration(seconds)}`)
      : [eventWords[event]],
  );
  return words.join(" or ");
}

const maxChannels = 5;

/** The channels that a rule covers. */
function describeChannels(channels: Rule["channels"]): string {
  if (channels === null) return "in every linked channel";
  return `in ${nameSome(channels, maxChannels, (pattern) => inlineCode(`/${pattern}`, 64))}`;
}

/** How often people overruled a rule lately; empty if nobody decided anything. */
export function describeRecord(record: RuleRecord | undefined): string[] {
  if (!record) return [];
  const { decided, dismissed, undone } = record;
  return [
    ...(decided > 0 ? [`${dismissed} of ${decided} reviews dismissed`] : []),
    ...(undone > 0 ? [`${undone} of its cases undone`] : []),
  ];
}

/** The author of a version: a person, the operator by a file, or Castellan when a breaker tripped. */
export function describeSaver(savedBy: string): string {
  return savedBy === castellan ? "Castellan" : showUser(savedBy);
}
