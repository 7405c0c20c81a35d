import type { CaseKind } from "../../database/tables/bot.ts";
import { describeOutcome } from "../../moderation/cases/outcome.ts";
import type { ChannelEventOf } from "../../observe/events.ts";
import { capitalize } from "../../text/capitalize.ts";
import { colors } from "../../text/colors.ts";
import { describeTime, escapeText, inlineCode } from "../../text/message-text.ts";
import { showNumber } from "../../text/numbered.ts";
import type { EventCase, Lookups } from "./lookups.ts";
import { channel, lines, person, quote, when, type Announcement } from "./phrases.ts";

type RuleHit = ChannelEventOf<"rule.hit">;

const and = new Intl.ListFormat("en");
const maxHits = 10;
const maxQuotes = 3;

/** What rules did, or would have done, about one person in one channel within a minute. */
export function describeHits(hits: readonly [RuleHit, ...RuleHit[]], lookups: Lookups): Announcement {
  const [first] = hits;
  const cases = hits.flatMap((hit) => casesOf(hit, lookups));
  const who = first.subjectFid === null ? "" : `: ${nameOf(first.subjectFid, lookups)}`;
  const subject = first.subjectFid === null ? "" : `${person(lookups, first.subjectFid)} in `;
  const casts = [...new Set(hits.flatMap(({ id }) => lookups.hits.get(id)?.castHash ?? []))];
  const known = casts.filter((hash) => lookups.casts.has(hash));
  return {
    title: `${headline(hits, cases)}${who}`,
    description: lines(
      `${subject}${channel(lookups, first)} · ${when(first)}`,
      hits.slice(0, maxHits).flatMap((hit) => describeHit(hit, casesOf(hit, lookups))),
      hits.length > maxHits ? [`… and ${hits.length - maxHits} more hits`] : [],
      known.slice(0, maxQuotes).map((hash) => quote(lookups, hash)),
      known.length > maxQuotes ? [`… and ${known.length - maxQuotes} more casts`] : [],
    ),
    color: hits.some(({ data }) => data.mode === "enforce") ? colors.warning : colors.muted,
  };
}

function casesOf({ id }: RuleHit, { hits }: Lookups): readonly EventCase[] {
  return hits.get(id)?.cases ?? [];
}

function nameOf(fid: number, { names }: Lookups): string {
  const name = names.get(fid);
  return name === undefined ? `fid ${fid}` : `@${escapeText(name, 64)}`;
}

/** Of what rules can do. */
const words: Partial<Record<CaseKind, (count: number) => string>> = {
  hide: (count) => (count === 1 ? "cast hidden" : `${count} casts hidden`),
  unhide: (count) => (count === 1 ? "cast shown again" : `${count} casts shown again`),
  ban: () => "banned",
  unban: () => "ban lifted",
  invite: () => "invited",
  remove_member: () => "removed from the members",
  pin: () => "cast pinned",
  unpin: () => "cast unpinned",
};

function wordFor(kind: CaseKind, count: number): string {
  return words[kind]?.(count) ?? kind.replaceAll("_", " ");
}

/** What was done; else what is about to be, or only was hit. */
function headline(hits: readonly RuleHit[], cases: readonly EventCase[]): string {
  const counts = new Map<CaseKind, number>();
  for (const { kind, state } of cases) {
    if (state === "applied" || state === "already" || state === "outside" || state === "reverted") {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  const done = [...counts].map(([kind, count]) => wordFor(kind, count));
  if (done.length > 0) return capitalize(done.join(", "));
  const ids = [...new Set(hits.map(({ data }) => escapeText(data.ruleId, 64)))];
  const rules = `${ids.length === 1 ? "rule" : "rules"} ${ids.join(", ")}`;
  if (cases.some(({ state }) => state === "requested")) return capitalize(`${rules} acting`);
  if (cases.length > 0) return capitalize(`${rules} could not act`);
  return hits.every(({ data }) => data.mode === "shadow")
    ? `Shadow hit of ${rules}`
    : capitalize(`${rules} hit`);
}

function describeHit({ data }: RuleHit, cases: readonly EventCase[]): string[] {
  const rule = inlineCode(data.ruleId, 64);
  const actions = data.actions.map((action) => escapeText(action, 300));
  const all = actions.length === 0 ? "nothing" : and.format(actions);
  if (data.mode === "shadow")
    return [`Rule ${rule} is in shadow. It would ${actions.length === 0 ? "do nothing" : all}.`];
  if (data.mode === "review") return [`Rule ${rule} asks a person to decide: ${all}`];
  if (cases.length === 0) return [`By rule ${rule}: ${all}`];
  const reasons = [...new Set(cases.flatMap(({ reason }) => reason ?? []))];
  // What opened no case is told only where it went otherwise than the rule says.
  const others = actions.filter((action) => /: (?:not )?done\./.test(action));
  return [
    `By rule ${rule}: ${cases.map(describeCase).join(", ")}`,
    ...others,
    ...reasons.map((reason) => `Reason: ${escapeText(reason, 200)}`),
  ];
}

/** "C-12 banned until …". */
function describeCase(found: EventCase): string {
  const { kind, state, number, dueAtMs } = found;
  const name = showNumber("case", number);
  const done = wordFor(kind, 1);
  switch (state) {
    case "requested":
      return `${name} ${kind.replaceAll("_", " ")}: under way`;
    case "failed":
      return `${name} ${kind.replaceAll("_", " ")} failed: ${escapeText(describeOutcome(found) ?? "no reason is known", 200)}`;
    case "already":
      return `${name} ${done} already`;
    case "reverted":
      return `${name} ${done}, ${found.endedInTime ? "ended in time" : "undone since"}`;
    default: {
      const until = kind === "ban" && dueAtMs !== null ? dueAtMs / 1000 : undefined;
      return `${name} ${done}${until === undefined ? "" : ` until ${describeTime(until, "f")} (${describeTime(until)})`}`;
    }
  }
}
