import { considerEvents } from "../threads/consider-events.ts";
import { readBodies } from "../../observe/cast-body.ts";
import { readNames } from "../../observe/people.ts";
import { readPastProgress, type PastProgress } from "../../observe/hub/past-progress.ts";
import type { Evaluation } from "../evaluate/evaluate.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { Rule, RuleSet } from "../evaluate/rule-set.ts";
import { coversChannel } from "../../text/glob.ts";
import type { CastBody } from "../../text/show-cast.ts";
import { Comparison, emptyOutcome, type RuleOutcome } from "./compare-verdicts.ts";
import { preloadChannelRoles } from "../facts/channel-roles.ts";
import { frozenFacts, type RehearsalContext } from "./frozen-facts.ts";
import { compareRules } from "../versions/compare-rules.ts";
import { Coverage, type ChannelCoverage } from "./coverage.ts";
import type { Past } from "./past-events.ts";
import { firstPlace, openHistory, readChunk, sizeOf, type Place } from "./read-history.ts";

export interface Plan extends Past {
  /** The queue in RuleThreads. */
  queue: string;
  /** The active rules; undefined for none. */
  before: RuleSet | undefined;
  after: RuleSet;
  /** The time limit in milliseconds; see Rehearsal.done. */
  timeoutMs: number;
  /** Called for each event that a proposed rule matches, newest first, including those that its limits would stop. */
  onHit?: (ruleId: string, occurrence: Occurrence) => void;
  /** Called with the progress, from 0 to 1. */
  onProgress?: (done: number) => Promise<void>;
}

export interface Rehearsal {
  /** How many events were evaluated. */
  events: number;
  /** How many of those the proposed rules skipped: their authors are exempt, or unknown. */
  notEvaluated: number;
  /** Rules that cover none of these channels, so nothing was tried. */
  elsewhere: string[];
  /** Tried rules first; each of these is listed even without a hit, unless it covers other channels. */
  rules: RuleOutcome[];
  /** Ids of the proposed rules that are new or changed: all, if none were active. */
  onTrial: string[];
  /** The content of the samples' casts, by hash. */
  bodies: ReadonlyMap<string, CastBody>;
  /** The names of the samples' authors, and of mentioned users, if they have any. */
  names: ReadonlyMap<number, string>;
  /** Other proposed rules that match none of the events. */
  withoutHit: string[];
  /** The casts of each channel that were covered. */
  coverage: ChannelCoverage[];
  /** Channels with missing replies in the stretch, because their threads are not all known yet. */
  past: PastProgress[];
  /** The part of the stretch that was covered, from 0 to 1. */
  done: number;
  tookMs: number;
  /** Ids of proposed rules that take too long, and were not run on the rest of the stretch. */
  tooSlow: string[];
}

/** What readers of a rehearsal's numbers need to know. */
export const rehearsalNote =
  "Nothing was done. Casts from before a link are those that the network still has. Other events (names, bans, hides) are known from the link on. Roles are as last read; membership and lists of bad links are as they are now. Effects that rules would have on each other are not simulated.";

/**
 * Runs proposed rules over the stored history, from its end backwards, next to the active ones. Both see the same facts,
 * as of now if the database does not know the past. Nothing is written, and no action is taken on the network.
 */
export async function rehearse(context: RehearsalContext, plan: Plan): Promise<Rehearsal> {
  const started = performance.now();
  const { queue, before, after } = plan;
  const consider = { ...frozenFacts(context), ruleThreads: context.ruleThreads, botFid: context.botFid };
  await preloadChannelRoles(consider, plan.channelIds);
  const comparison = new Comparison();
  const coverage = new Coverage();
  const ruleSets = before ? [after, before] : [after];
  const tooSlow = ruleSets.map(() => new Set<string>());
  const { query } = context.database;
  const history = await openHistory(query, plan);
  const begin = (place: Place) => {
    const reading = readChunk(query, history, place);
    const evaluating = reading.then(({ occurrences }) =>
      considerEvents(consider, { queue, ruleSets, occurrences, tooSlow }),
    );
    // Failures reach the code that awaits these; a promise begun in vain is not awaited.
    for (const promise of [reading, evaluating]) promise.catch(() => {});
    return { reading, evaluating };
  };
  const first = firstPlace(history);
  let begun = first && begin(first);
  let [events, notEvaluated, seen] = [0, 0, 0];
  let done = 1;
  try {
    while (begun) {
      const { reading, evaluating }: ReturnType<typeof begin> = begun;
      const { occurrences, size, next } = await reading;
      // The next events are read while a thread evaluates these.
      begun = next && begin(next);
      const evaluations = await evaluating;
      for (const [index, occurrence] of occurrences.entries()) {
        const [now, then] = (evaluations[index] ?? []).map(verdictsOf);
        comparison.add(occurrence, then ?? [], now ?? []);
        for (const { rule, truth } of now ?? []) if (truth === true) plan.onHit?.(rule.id, occurrence);
        coverage.add(occurrence);
        if (!now) notEvaluated += 1;
      }
      events += occurrences.length;
      seen += size;
      done = begun ? Math.min(seen / sizeOf(history), 1) : 1;
      await plan.onProgress?.(done);
      if (comparison.isFull || performance.now() - started > plan.timeoutMs) break;
    }
  } finally {
    // Nothing of it continues after it ends.
    await begun?.evaluating.catch(() => {});
  }
  const past = await readPastProgress(context);
  const outcomes = comparison.list();
  const samples = outcomes.flatMap((outcome) => Object.values(outcome.samples).flat());
  const bodies = await readBodies(
    query,
    samples.flatMap(({ castHash }) => castHash ?? []),
  );
  return {
    events,
    notEvaluated,
    ...sortOutcomes(outcomes, before, after, plan.channelIds),
    bodies,
    names: await readNames(query, [
      ...outcomes.flatMap(authorsOf),
      ...[...bodies.values()].flatMap(({ mentions }) => mentions),
    ]),
    coverage: await coverage.describe(context, plan, done === 1),
    past: past.filter(({ channelId }) => plan.channelIds.includes(channelId)),
    done,
    tookMs: Math.round(performance.now() - started),
    tooSlow: [...(tooSlow[0] ?? [])],
  };
}

/** Tried rules come first, even without hits, because leaving them out would look harmless. */
function sortOutcomes(
  outcomes: readonly RuleOutcome[],
  before: RuleSet | undefined,
  after: RuleSet,
  channelIds: readonly string[],
): Pick<Rehearsal, "rules" | "onTrial" | "withoutHit" | "elsewhere"> {
  const { added, removed, changed } = compareRules(before, after);
  const touched = [...added, ...changed.map((change) => change.after)];
  // If no rule differs, the active rules are tried as they are.
  const onTrial = touched.length + removed.length > 0 ? touched : after.rules;
  const tried = new Set(onTrial.map(({ id }) => id));
  // A rule without further hits is not gone: it may cover other events now.
  const modes = new Map(after.rules.map(({ id, mode }) => [id, mode]));
  const hits = outcomes.map((outcome) => ({ ...outcome, mode: modes.get(outcome.ruleId) }));
  const hit = new Set(hits.map(({ ruleId }) => ruleId));
  const isHere = (rule: Rule) => channelIds.some((channelId) => coversChannel(rule.channels, channelId));
  const without = after.rules.filter((rule) => !hit.has(rule.id) && isHere(rule));
  const elsewhere = after.rules.filter((rule) => !hit.has(rule.id) && !isHere(rule));
  const empty = without.filter(({ id }) => tried.has(id)).map(({ id, mode }) => emptyOutcome(id, mode));
  const isTried = ({ ruleId }: RuleOutcome) => tried.has(ruleId);
  return {
    rules: [...hits.filter(isTried), ...empty, ...hits.filter((outcome) => !isTried(outcome))],
    onTrial: [...tried],
    withoutHit: without.map(({ id }) => id).filter((id) => !tried.has(id)),
    elsewhere: elsewhere.map(({ id }) => id),
  };
}

function authorsOf({ samples }: RuleOutcome): number[] {
  return Object.values(samples).flatMap((some) => some.flatMap(({ authorFid }) => authorFid ?? []));
}

/** Undefined if the rules were not evaluated. */
function verdictsOf(evaluation: Evaluation) {
  return evaluation.asked ? evaluation.verdicts : undefined;
}
