import { amount } from "../../text/amount.ts";
import { escapeText, inlineCode } from "../../text/escape.ts";
import { describeReview } from "./review.ts";
import type { Renderers } from "./renderer.ts";
import { channel, colors, lines, person, when } from "./words.ts";

/** What rules did, hold, or cannot go on with. */
export const ruleRenderers: Renderers<
  | "rule.hit"
  | "rule.alert"
  | "rule.tripped"
  | "rules.slow"
  | "rules.unreadable"
  | "strike.added"
  | "review.held"
  | "review.waiting"
  | "automod.changed"
> = {
  "rule.hit": (event, facts) => ({
    title: `Rule ${escapeText(event.data.ruleId, 64)} hit in ${channel(facts, event)}`,
    description: `${about(event.subjectFid, person(facts, event.subjectFid))}${modes[event.data.mode] ?? escapeText(event.data.mode)} ${inlineCode(event.data.actions.join(", ") || "nothing")} · event #${event.data.eventId} · version ${event.data.version} · ${when(event)}`,
    color: event.data.mode === "enforce" ? colors.warning : colors.muted,
  }),
  "rule.alert": (event, facts) => ({
    title: `${escapeText(event.data.ruleId, 64)} · ${channel(facts, event)}`,
    description: lines(
      escapeText(event.data.text, 1000),
      `${about(event.subjectFid, person(facts, event.subjectFid))}${when(event)}`,
    ),
    color: colors.warning,
  }),
  "rule.tripped": (event) => ({
    title: `Rule ${escapeText(event.data.ruleId, 64)} acted too often`,
    description: lines(
      `${event.data.acted} times within ${Math.round(event.data.perSeconds / 60)} min: that is its limit, so it is in mode ${event.data.mode} now and does not act by itself.`,
      `Look at what it did (/rule show), then let it act again with /rule mode · ${when(event)}`,
    ),
    color: colors.grave,
  }),
  "rules.slow": (event) => ({
    title: `${amount(event.data.ruleIds.length, "rule")} took too long and ${event.data.ruleIds.length === 1 ? "is" : "are"} off`,
    description: lines(
      listSome(event.data.ruleIds.map((id) => inlineCode(id, 64))),
      `Patterns that repeat what may be repeated take long. Use fewer or simpler ones (/rule edit), try them with /rule test, and turn the rule on again with /rule mode · ${when(event)}`,
    ),
    color: colors.grave,
  }),
  "rules.unreadable": (event, facts) => ({
    title: `No rule acts in ${channel(facts, event)}: the rules cannot be read any more`,
    description: lines(
      `Version ${event.data.version} was put in force by another version of Castellan. This one refuses:`,
      event.data.mistakes.map((mistake) => inlineCode(mistake, 200)),
      `/rule show attaches the file: mend it, and give it back with /rule import · ${when(event)}`,
    ),
    color: colors.grave,
  }),
  "strike.added": (event, facts) => ({
    title: `${amount(event.data.points, "strike point")} in ${channel(facts, event)}`,
    description: `${person(facts, event.subjectFid)} has ${event.data.total} now · by rule ${inlineCode(event.data.ruleId, 64)} · ${when(event)}`,
    color: colors.muted,
  }),
  "review.held": (event, facts) => {
    const item = facts.reviews.get(event.data.itemId);
    if (item) return describeReview(item);
    return { title: `Review #${event.data.itemId}`, description: "It is gone.", color: colors.muted };
  },
  "review.waiting": (event, facts) => ({
    title: `${event.data.items.length} held by rules, and nobody has decided: ${channel(facts, event)}`,
    description: lines(
      event.data.items
        .slice(0, 10)
        .map(({ id, queue }) => `#${id} ${inlineCode(queue, 40)}`)
        .join(", "),
      `The oldest since <t:${event.data.oldestAt}:R>. /review list shows them.`,
    ),
    color: colors.warning,
  }),
  "automod.changed": (event, facts) => ({
    title: `Rules ${event.data.paused ? "paused" : "work again"} in ${channel(facts, event)}`,
    description: lines(
      `By <@${event.data.userId}> · ${when(event)}`,
      event.data.until === null ? [] : `Until <t:${event.data.until}:f>.`,
      event.data.reason === "" ? [] : `Reason: ${escapeText(event.data.reason)}`,
    ),
    color: event.data.paused ? colors.warning : colors.good,
  }),
};

const modes: Record<string, string> = {
  shadow: "would have done",
  review: "waits for a person:",
  enforce: "did",
};

function listSome(names: readonly string[]): string {
  const rest = names.length > 10 ? ` and ${names.length - 10} more` : "";
  return `${names.slice(0, 10).join(", ")}${rest}`;
}

function about(fid: number | null, text: string): string {
  return fid === null ? "" : `${text} · `;
}
