import { considerEvents } from "../threads/consider-events.ts";
import type { Evaluation } from "../evaluate/evaluate.ts";
import type { RuleSet } from "../evaluate/rule-set.ts";
import { Comparison, type RuleOutcome } from "./compare-verdicts.ts";
import { frozenFacts, type RehearsalContext } from "./frozen-facts.ts";
import { findStretch, readPast, type Past, type Stretch } from "./past-events.ts";

/** Event ids of one statement: few enough that nobody waits for it. */
const chunk = 500;

export interface Plan extends Past {
  /** On whose behalf: see RuleThreads. */
  queue: string;
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
  /** Ids of proposed rules that take too long: the rest of the stretch was not looked at with them. */
  tooSlow: string[];
}

/**
 * Runs proposed rules over the stored history, from its end backwards, beside those in force. Facts are the same for both, and
 * as of now where the store does not know what they were. Nothing is written, and on the network nothing is done.
 */
export async function rehearse(context: RehearsalContext, plan: Plan): Promise<Rehearsal> {
  const started = performance.now();
  const { queue, before, after } = plan;
  const consider = { ...frozenFacts(context), ruleThreads: context.ruleThreads, botFid: context.botFid };
  const comparison = new Comparison();
  const rehearsal: Omit<Rehearsal, "tooSlow" | "withoutHit"> = {
    events: 0,
    notAsked: 0,
    rules: [],
    done: 1,
    tookMs: 0,
  };
  const ruleSets = before ? [after, before] : [after];
  const tooSlow = ruleSets.map(() => new Set<string>());
  const stretch = await findStretch(context.database.query, plan);
  const { first, last } = stretch;
  let ahead = readChunk(context, plan, stretch, last);
  for (let until = last; until >= first; until -= chunk) {
    const occurrences = await ahead;
    // The store reads on while a thread looks.
    ahead = readChunk(context, plan, stretch, until - chunk);
    ahead.catch(() => {});
    const evaluations = await considerEvents(consider, { queue, ruleSets, occurrences, tooSlow });
    for (const [index, occurrence] of occurrences.entries()) {
      const [now, then] = (evaluations[index] ?? []).map(verdictsOf);
      comparison.add(occurrence, then ?? [], now ?? []);
      rehearsal.events += 1;
      if (!now) rehearsal.notAsked += 1;
    }
    rehearsal.done = Math.min(1, (last - until + chunk) / (last - first + 1));
    await plan.onProgress?.(rehearsal.done);
    if (comparison.isFull || performance.now() - started > plan.patience) break;
  }
  // A rule that hits nothing any more is not gone: it may listen elsewhere now.
  const modes = new Map(plan.after.rules.map(({ id, mode }) => [id, mode]));
  const rules = comparison.list().map((outcome) => ({ ...outcome, mode: modes.get(outcome.ruleId) }));
  const seen = new Set(rules.map(({ ruleId }) => ruleId));
  const withoutHit = plan.after.rules.map(({ id }) => id).filter((id) => !seen.has(id));
  const tookMs = Math.round(performance.now() - started);
  return { ...rehearsal, rules, withoutHit, tookMs, tooSlow: [...(tooSlow[0] ?? [])] };
}

async function readChunk({ database }: RehearsalContext, plan: Past, { first }: Stretch, until: number) {
  return until < first ? [] : readPast(database.query, plan, Math.max(first, until - chunk + 1), until);
}

/** What rules say; undefined where they were not asked. */
function verdictsOf(evaluation: Evaluation) {
  return evaluation.asked ? evaluation.verdicts : undefined;
}
