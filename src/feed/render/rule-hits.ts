import type { CaseKind } from "../../database/tables/bot.ts";
import { describeOutcome } from "../../moderation/cases/outcome.ts";
import type { ChannelEventOf } from "../../observe/events.ts";
import { capitalize } from "../../text/capitalize.ts";
import { colors } from "../../text/colors.ts";
import { describeTime, escapeText, inlineCode, listSome } from "../../text/message-text.ts";
import { showNumber } from "../../text/numbered.ts";
import type { EventCase, Lookups } from "./lookups.ts";
import { channel, describeEnding, lines, person, quote, when, type Announcement } from "./phrases.ts";
import { groupBy } from "../../group-by.ts";
import { isOneOf, succeeded } from "../../database/tables/case-states.ts";

type RuleHit = ChannelEventOf<"rule.hit">;

const and = new Intl.ListFormat("en");
const maxRules = 10;
const maxQuotes = 3;

/** Actual or shadow actions of rules on one person in one channel within a minute. */
export function describeHits(hits: readonly [RuleHit, ...RuleHit[]], lookups: Lookups): Announcement {
  const [first] = hits;
  const cases = hits.flatMap((hit) => casesOf(hit, lookups)).toSorted(gravestFirst);
  const byRule = [...groupBy(hits, ({ data }) => `${data.mode} ${data.ruleId}`).values()];
  const who = first.subjectFid === null ? "" : `: ${nameOf(first.subjectFid, lookups)}`;
  const subject = first.subjectFid === null ? "" : `${person(lookups, first.subjectFid)} in `;
  const casts = [...new Set(hits.flatMap(({ id }) => lookups.hits.get(id)?.castHash ?? []))];
  const known = casts.filter((hash) => lookups.casts.has(hash));
  return {
    title: `${headline(hits, cases)}${who}`,
    description: lines(
      `${subject}${channel(lookups, first)} · ${when(first)}`,
      byRule.slice(0, maxRules).flatMap((same) => describeRule(same, lookups)),
      byRule.length > maxRules ? [`… and ${byRule.length - maxRules} more rules`] : [],
      listSome(known, maxQuotes, (hash) => quote(lookups, hash), "casts"),
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

/** For the kinds of cases that rules can open: one, and several if they count. */
const words: Partial<Record<CaseKind, { one: string; many?: string }>> = {
  hide: { one: "cast hidden", many: "casts hidden" },
  unhide: { one: "cast shown again", many: "casts shown again" },
  ban: { one: "banned" },
  unban: { one: "ban lifted" },
  invite: { one: "invited" },
  remove_member: { one: "removed from the members" },
  pin: { one: "cast pinned" },
  unpin: { one: "cast unpinned" },
};

/** Bans first. */
export function gravestFirst(one: EventCase, other: EventCase): number {
  return Number(other.kind === "ban") - Number(one.kind === "ban");
}

function wordFor(kind: CaseKind, count: number): string {
  const { one, many = one } = words[kind] ?? { one: kind.replaceAll("_", " ") };
  return count === 1 ? one : many;
}

function countWord(kind: CaseKind, count: number): string {
  return count > 1 && words[kind]?.many ? `${count} ${wordFor(kind, count)}` : wordFor(kind, count);
}

/** The actions that were taken; otherwise those that are pending, or only the hit. */
function headline(hits: readonly RuleHit[], cases: readonly EventCase[]): string {
  const isDone = ({ state }: EventCase) => isOneOf(succeeded, state);
  const byKind = [...groupBy(cases.filter(isDone), ({ kind }) => kind).values()];
  const done = byKind.map(([{ kind }, ...others]) => countWord(kind, 1 + others.length));
  if (done.length > 0) return capitalize(done.join(", "));
  const ids = [...new Set(hits.map(({ data }) => escapeText(data.ruleId, 64)))];
  const rules = `${ids.length === 1 ? "rule" : "rules"} ${ids.join(", ")}`;
  if (cases.some(({ state }) => state === "requested")) return capitalize(`${rules} acting`);
  if (cases.length > 0) return capitalize(`${rules} could not act`);
  return hits.every(({ data }) => data.mode === "shadow")
    ? `Shadow hit of ${rules}`
    : capitalize(`${rules} hit`);
}

/** One rule's hits in one mode. */
function describeRule(hits: readonly [RuleHit, ...RuleHit[]], lookups: Lookups): string[] {
  const { ruleId, mode, actions: planned } = hits[0].data;
  const rule = inlineCode(ruleId, 64);
  const times = hits.length === 1 ? "" : ` (${hits.length} times)`;
  const all = planned.length === 0 ? "nothing" : and.format(planned.map((action) => escapeText(action, 300)));
  if (mode === "shadow") {
    return [`Rule ${rule} is in shadow. It would ${planned.length === 0 ? "do nothing" : all}${times}.`];
  }
  if (mode === "review") return [`Rule ${rule} asks for a decision: ${all}${times}`];
  const cases = hits.flatMap((hit) => casesOf(hit, lookups)).toSorted(gravestFirst);
  if (cases.length === 0) return [`By rule ${rule}: ${all}${times}`];
  const reasons = new Set(cases.flatMap(({ reason }) => reason ?? []));
  // Actions without a case are mentioned only if the result differs from the rule.
  const others = hits.flatMap(({ data }) =>
    data.actions.filter((action) => /: (?:not )?done\./.test(action)),
  );
  const alike = [...groupBy(cases, (found) => describeCase(found, 1)).values()];
  return [
    `By rule ${rule}: ${alike.map((same) => `${and.format(same.map(({ number }) => showNumber("case", number)))} ${describeCase(same[0], same.length)}`).join(", ")}`,
    ...[...new Set(others)].map((action) => escapeText(action, 300)),
    ...[...reasons].map((reason) => `Reason: ${escapeText(reason, 200)}`),
  ];
}

/** The text after the numbers of so many cases: "banned until …". */
function describeCase(found: EventCase, count: number): string {
  const { kind, state, dueAtMs } = found;
  const word = wordFor(kind, count);
  switch (state) {
    case "requested":
      return `${kind.replaceAll("_", " ")}: under way`;
    case "failed":
      return `${kind.replaceAll("_", " ")} failed: ${escapeText(describeOutcome(found) ?? "no reason is known", 200)}`;
    case "already":
      return `${word} already`;
    case "reverted":
      return `${word}, ${found.hasExpired ? "expired" : `undone ${found.revertedBy ? describeEnding(found.revertedBy) : "since"}`}`;
    default: {
      const until = kind === "ban" && dueAtMs !== null ? dueAtMs / 1000 : undefined;
      return `${word}${until === undefined ? "" : ` until ${describeTime(until, "f")} (${describeTime(until)})`}`;
    }
  }
}
