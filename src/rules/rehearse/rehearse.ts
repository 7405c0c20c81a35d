import { considerEvents } from "../threads/consider-events.ts";
import { readPastProgress, type PastProgress } from "../../observe/hub/past-progress.ts";
import type { Evaluation } from "../evaluate/evaluate.ts";
import type { RuleSet } from "../evaluate/rule-set.ts";
import { Comparison, type RuleOutcome } from "./compare-verdicts.ts";
import { frozenFacts, type RehearsalContext } from "./frozen-facts.ts";
import { findEarlier, findStretch, readPast, type Past, type Stretch } from "./past-events.ts";

/** So many event ids are read in one statement: few enough that nobody waits for it. */
const chunk = 500;

export interface Plan extends Past {
  /** On whose behalf: see RuleThreads. */
  queue: string;
  /** The rules in force; undefined for none. */
  before: RuleSet | undefined;
  after: RuleSet;
  /** How long it may take, in milliseconds; see Rehearsal.done. */
  patience: number;
  /** Called with how much is done, from 0 to 1. */
  onProgress?: (done: number) => Promise<void>;
}

export interface Rehearsal {
  /** How many events were evaluated. */
  events: number;
  /** How many of those the proposed rules were not asked about: their authors are exempt, or not known. */
  notAsked: number;
  rules: RuleOutcome[];
  /** Proposed rules that none of the events fits. */
  withoutHit: string[];
  /** Of these channels replies are missing in the stretch, for their threads are not all known yet. */
  past: PastProgress[];
  /** How much of the stretch is done, from 0 to 1. */
  done: number;
  tookMs: number;
  /** Ids of proposed rules that take too long, and were not run on the rest of the stretch. */
  tooSlow: string[];
}

/** What a reader of a rehearsal's numbers has to know. */
export const rehearsalNote =
  "Nothing was done. The history of a channel begins when it is linked: what was before is not looked at. Roles and membership are as they are now; what rules would cause in turn is not played through.";

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
    past: (await readPastProgress(context)).filter(({ channelId }) => plan.channelIds.includes(channelId)),
    done: 1,
    tookMs: 0,
  };
  const ruleSets = before ? [after, before] : [after];
  const tooSlow = ruleSets.map(() => new Set<string>());
  const stretch = await findStretch(context.database.query, plan);
  const { first, last } = stretch;
  const begin = (until: number) => {
    const reading = readChunk(context, plan, stretch, until);
    const evaluating = reading.then(({ occurrences }) =>
      considerEvents(consider, { queue, ruleSets, occurrences, tooSlow }),
    );
    // Whoever waits for them hears of it; one that was begun in vain needs nobody.
    for (const promise of [reading, evaluating]) promise.catch(() => {});
    return { reading, evaluating };
  };
  let begun = begin(last);
  try {
    for (let until = last; until >= first;) {
      const { reading, evaluating } = begun;
      const { occurrences, earlier } = await reading;
      // The store is asked about the next events while a thread evaluates these.
      begun = begin(earlier);
      const evaluations = await evaluating;
      for (const [index, occurrence] of occurrences.entries()) {
        const [now, then] = (evaluations[index] ?? []).map(verdictsOf);
        comparison.add(occurrence, then ?? [], now ?? []);
        rehearsal.events += 1;
        if (!now) rehearsal.notAsked += 1;
      }
      until = earlier;
      rehearsal.done = (last - until) / (last - first + 1);
      await plan.onProgress?.(rehearsal.done);
      if (comparison.isFull || performance.now() - started > plan.patience) break;
    }
  } finally {
    // Nothing of it goes on when it is over.
    await begun.evaluating.catch(() => {});
  }
  // A rule that hits nothing any more is not gone: it may listen elsewhere now.
  const modes = new Map(plan.after.rules.map(({ id, mode }) => [id, mode]));
  const rules = comparison.list().map((outcome) => ({ ...outcome, mode: modes.get(outcome.ruleId) }));
  const seen = new Set(rules.map(({ ruleId }) => ruleId));
  const withoutHit = plan.after.rules.map(({ id }) => id).filter((id) => !seen.has(id));
  const tookMs = Math.round(performance.now() - started);
  return { ...rehearsal, rules, withoutHit, tookMs, tooSlow: [...(tooSlow[0] ?? [])] };
}

/** Events up to this one, and where those before them end: ids have gaps, and old events are deleted. */
async function readChunk({ database }: RehearsalContext, plan: Past, stretch: Stretch, until: number) {
  if (until < stretch.first) return { occurrences: [], earlier: until };
  const from = Math.max(stretch.first, until - chunk + 1);
  const occurrences = await readPast(database.query, plan, from, until);
  return { occurrences, earlier: await findEarlier(database.query, stretch, from) };
}

/** undefined where the rules were not asked. */
function verdictsOf(evaluation: Evaluation) {
  return evaluation.asked ? evaluation.verdicts : undefined;
}
