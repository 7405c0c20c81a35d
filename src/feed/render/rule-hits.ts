import type { CaseKind } from "../../database/tables/bot.ts";
import { describeOutcome } from "../../moderation/cases/outcome.ts";
import { findText } from "../../languages/languages.ts";
import type { PostTexts } from "../../languages/posts/en.ts";
import type { ChannelEventOf } from "../../observe/events.ts";
import { capitalize } from "../../text/capitalize.ts";
import { colors } from "../../text/colors.ts";
import { describeTime, escapeText, inlineCode } from "../../text/message-text.ts";
import { showNumber } from "../../text/numbered.ts";
import type { EventCase, Lookups } from "./lookups.ts";
import {
  channel,
  describeEnding,
  joinAll,
  lines,
  listFirst,
  person,
  quote,
  when,
  type Announcement,
} from "./phrases.ts";
import { groupBy } from "../../group-by.ts";
import { isOneOf, succeeded } from "../../database/tables/case-states.ts";

type RuleHit = ChannelEventOf<"rule.hit">;

const maxRules = 10;
const maxQuotes = 3;

/** Actual or shadow actions of rules on one person in one channel within a minute. */
export function describeHits(hits: readonly [RuleHit, ...RuleHit[]], lookups: Lookups): Announcement {
  const [first] = hits;
  const cases = hits.flatMap((hit) => casesOf(hit, lookups)).toSorted(gravestFirst);
  const byRule = [...groupBy(hits, ({ data }) => `${data.mode} ${data.ruleId}`).values()];
  const { texts } = lookups;
  const what = headline(hits, cases, texts);
  const place = channel(lookups, first);
  const casts = [...new Set(hits.flatMap(({ id }) => lookups.hits.get(id)?.castHash ?? []))];
  const known = casts.filter((hash) => lookups.casts.has(hash));
  return {
    title: first.subjectFid === null ? what : texts.hits.headline(what, nameOf(first.subjectFid, lookups)),
    description: lines(
      `${first.subjectFid === null ? place : texts.hits.place(person(lookups, first.subjectFid), place)} · ${when(first)}`,
      byRule.slice(0, maxRules).flatMap((same) => describeRule(same, lookups)),
      byRule.length > maxRules ? [texts.moreRules(byRule.length - maxRules)] : [],
      listFirst(
        known.map((hash) => quote(lookups, hash)),
        maxQuotes,
        texts.moreCasts,
      ),
    ),
    color: hits.some(({ data }) => data.mode === "enforce") ? colors.warning : colors.muted,
  };
}

function casesOf({ id }: RuleHit, { hits }: Lookups): readonly EventCase[] {
  return hits.get(id)?.cases ?? [];
}

export function nameOf(fid: number, { names }: Pick<Lookups, "names">): string {
  const name = names.get(fid);
  return name === undefined ? `fid ${fid}` : `@${escapeText(name, 64)}`;
}

/** Bans first. */
export function gravestFirst(one: EventCase, other: EventCase): number {
  return Number(other.kind === "ban") - Number(one.kind === "ban");
}

/** "cast hidden", or "casts hidden" if it is about several. */
function doneWord(kind: CaseKind, count: number, { cases }: PostTexts): string {
  return (count > 1 && findText(cases.doneMany, kind)) || cases.done[kind];
}

/** The actions that were taken; otherwise those that are pending, or only the hit. */
function headline(hits: readonly RuleHit[], cases: readonly EventCase[], texts: PostTexts): string {
  const isDone = ({ state }: EventCase) => isOneOf(succeeded, state);
  const byKind = [...groupBy(cases.filter(isDone), ({ kind }) => kind).values()];
  const done = byKind.map(([{ kind }, ...others]) =>
    others.length > 0 && kind in texts.cases.doneMany
      ? texts.cases.counted[kind](1 + others.length)
      : texts.cases.done[kind],
  );
  if (done.length > 0) return capitalize(done.join(", "));
  const ids = [...new Set(hits.map(({ data }) => escapeText(data.ruleId, 64)))];
  const rules = ids.length === 1 ? texts.rule(ids.join("")) : texts.hits.rules(ids.join(", "));
  if (cases.some(({ state }) => state === "requested")) return capitalize(texts.hits.acting(rules));
  if (cases.length > 0) return capitalize(texts.hits.couldNotAct(rules));
  const words = hits.every(({ data }) => data.mode === "shadow") ? texts.hits.shadow : texts.hits.hit;
  return capitalize(words(rules));
}

/** One rule's hits in one mode. */
function describeRule(hits: readonly [RuleHit, ...RuleHit[]], lookups: Lookups): string[] {
  const { texts } = lookups;
  const { ruleId, mode, actions: planned } = hits[0].data;
  const rule = inlineCode(ruleId, 64);
  const many = (actions: string) => (hits.length === 1 ? actions : texts.hits.times(actions, hits.length));
  const all = joinAll(
    planned.map((action) => escapeText(action, 300)),
    texts,
  );
  if (mode === "shadow") return [texts.hits.wouldDo(rule, many(all || texts.hits.doNothing))];
  if (mode === "review") return [texts.hits.asks(rule, many(all || texts.hits.nothing))];
  const cases = hits.flatMap((hit) => casesOf(hit, lookups)).toSorted(gravestFirst);
  if (cases.length === 0) return [texts.hits.byRule(rule, many(all || texts.hits.nothing))];
  const reasons = new Set(cases.flatMap(({ reason }) => reason ?? []));
  // Actions without a case are mentioned only if the result differs from the rule.
  const others = hits.flatMap(({ data }) =>
    data.actions.filter((action) => /: (?:not )?done\./.test(action)),
  );
  const alike = [...groupBy(cases, (found) => describeCase(found, 1, texts)).values()];
  const results = alike.map((same) => {
    const numbers = same.map(({ number }) => showNumber("case", number));
    return `${joinAll(numbers, texts)} ${describeCase(same[0], same.length, texts)}`;
  });
  return [
    texts.hits.byRule(rule, results.join(", ")),
    ...[...new Set(others)].map((action) => escapeText(action, 300)),
    ...[...reasons].map((reason) => texts.reason(escapeText(reason, 200))),
  ];
}

/** The text after the numbers of so many cases: "banned until …". */
function describeCase(found: EventCase, count: number, texts: PostTexts): string {
  const { kind, state, dueAtMs } = found;
  const { kinds, results } = texts.cases;
  const done = doneWord(kind, count, texts);
  switch (state) {
    case "requested":
      return results.underWay(kinds[kind]);
    case "failed": {
      const why = describeOutcome(found, texts.outcomes) ?? results.noReason;
      return results.failed(kinds[kind], escapeText(why, 200));
    }
    case "already":
      return results.already(done);
    case "reverted":
      return results.ended(done, describeEnding(found, texts));
    default: {
      if (kind !== "ban" || dueAtMs === null) return done;
      return results.until(done, describeTime(dueAtMs / 1000, "f"), describeTime(dueAtMs / 1000));
    }
  }
}
