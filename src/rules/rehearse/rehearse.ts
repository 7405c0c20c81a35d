import { setImmediate as breathe } from "node:timers/promises";
import { asksStill, evaluate } from "../evaluate/evaluate.ts";
import type { Facts } from "../evaluate/fact.ts";
import { loadFacts } from "../facts/load-facts.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { RuleSet } from "../evaluate/rule-set.ts";
import { Comparison, type RuleOutcome } from "./compare-verdicts.ts";
import { frozenFacts, type RehearsalContext } from "./frozen-facts.ts";
import { findStretch, readPast, type Past } from "./past-events.ts";

/** Event ids of one statement: few enough that nobody waits for it. */
const chunk = 500;
export interface Plan extends Past {
  /** The rules in force; undefined for none. */
  before: RuleSet | undefined;
  after: RuleSet;
  /** How long it may take, in milliseconds; what is left then is not looked at, and that is said. */
  patience: number;
  /** Hears, from 0 to 1, how much is done. */
  onProgress?: (done: number) => Promise<void>;
}

export interface Rehearsal {
  /** How many events were looked at. */
  events: number;
  /** How many of those the proposed rules were not asked about: exempt authors, and whoever is not known. */
  notAsked: number;
  rules: RuleOutcome[];
  /** Proposed rules without an outcome: none of the events fits them. */
  withoutHit: string[];
  /** How much of the stretch was looked at, from 0 to 1. */
  done: number;
  tookMs: number;
}

/**
 * Runs proposed rules over the stored history, from its end backwards, beside those in force. Facts are the same for both, and
 * as of now where the store does not know what they were. Nothing is written, and on the network nothing is done.
 */
export async function rehearse(context: RehearsalContext, plan: Plan): Promise<Rehearsal> {
  const started = performance.now();
  const facts = frozenFacts(context);
  const comparison = new Comparison();
  const rehearsal: Rehearsal = { events: 0, notAsked: 0, rules: [], withoutHit: [], done: 1, tookMs: 0 };
  const { first, last } = await findStretch(context.database.query, plan);
  for (let until = last; until >= first; until -= chunk) {
    const past = await readPast(context.database.query, plan, Math.max(first, until - chunk + 1), until);
    const known = await loadFacts(
      facts,
      past.map((occurrence) => askBoth(plan, occurrence)),
    );
    for (const [index, occurrence] of past.entries()) {
      const seen = known[index];
      if (!seen) continue;
      const after = judge(plan.after, occurrence, seen, context.botFid);
      comparison.add(occurrence, judge(plan.before, occurrence, seen, context.botFid) ?? [], after ?? []);
      rehearsal.events += 1;
      if (!after) rehearsal.notAsked += 1;
    }
    rehearsal.done = Math.min(1, (last - until + chunk) / (last - first + 1));
    await plan.onProgress?.(rehearsal.done);
    if (comparison.isFull || performance.now() - started > plan.patience) break;
    await breathe();
  }
  // A rule that hits nothing any more is not gone: it may listen elsewhere now.
  const modes = new Map(plan.after.rules.map(({ id, mode }) => [id, mode]));
  const rules = comparison.list().map((outcome) => ({ ...outcome, mode: modes.get(outcome.ruleId) }));
  const seen = new Set(rules.map(({ ruleId }) => ruleId));
  const withoutHit = plan.after.rules.map(({ id }) => id).filter((id) => !seen.has(id));
  return { ...rehearsal, rules, withoutHit, tookMs: Math.round(performance.now() - started) };
}

function askBoth({ before, after }: Plan, occurrence: Occurrence) {
  const asks = (known: Facts) => [
    ...(before ? asksStill(before, occurrence, known) : []),
    ...asksStill(after, occurrence, known),
  ];
  return { occurrence, asks };
}

/** What rules say; undefined where they were not asked. */
function judge(rules: RuleSet | undefined, occurrence: Occurrence, facts: Facts, botFid: number) {
  const evaluation = rules && evaluate(rules, occurrence, facts, botFid);
  return evaluation?.asked ? evaluation.verdicts : undefined;
}
