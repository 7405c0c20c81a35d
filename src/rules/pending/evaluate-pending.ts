import { asAppError } from "../../errors.ts";
import type { RuleContext } from "../context.ts";
import { actOnVerdicts } from "../verdicts/act-on-verdicts.ts";
import { endPostponed } from "../verdicts/stored-verdicts.ts";
import type { Evaluation, Verdict } from "../evaluate/evaluate.ts";
import type { RuleSet, RulesInForce } from "../evaluate/rule-set.ts";
import { ModeWanted } from "../limits/breaker.ts";
import { findLockdownRules } from "../limits/lockdown.ts";
import { findPause } from "../limits/pause.ts";
import { turnOffSlow } from "../limits/slow-rules.ts";
import { considerEvents } from "../threads/consider-events.ts";
import { findRules } from "../versions/rules-of-server.ts";
import {
  batch,
  closePending,
  dropPending,
  endedVerdicts,
  holdPending,
  putOffPending,
  releasePending,
  takePending,
  type Closed,
  type Pending,
  type WhyUnknown,
} from "./pending.ts";

/**
 * Milliseconds until no further event of a server is begun, and until unfinished ones are put off before the lease ends.
 */
const [turn, longest] = [2_000, 20_000];

/**
 * Evaluates a batch of a server's queue: returns how many rows it took, and whether more may be due. Rows that were not
 * begun in time keep waiting.
 */
export async function evaluateServer(
  context: RuleContext,
  guildId: string,
): Promise<{ taken: number; isMore: boolean }> {
  await releaseBrokenOff(context);
  const taken = await takePending(context, guildId);
  if (taken.length === 0) return { taken: 0, isMore: false };
  try {
    const released = await evaluate(context, guildId, taken);
    return { taken: taken.length, isMore: taken.length === batch || released > 0 };
  } catch (error) {
    noteBrokenOff(context, taken, error);
    throw error;
  }
}

/** Failures of the database are not a row's fault: no row is set aside for them, however long they last. */
function noteBrokenOff({ brokenOff }: RuleContext, taken: readonly Pending[], error: unknown): void {
  if (asAppError(error, "database_unavailable")) brokenOff.push(...taken);
}

async function releaseBrokenOff(context: RuleContext): Promise<void> {
  const rows = context.brokenOff.splice(0);
  try {
    await releasePending(context, rows, { waits: true });
  } catch (error) {
    context.brokenOff.push(...rows);
    throw error;
  }
}

/**
 * Everything is read before anything is written; each event on which a rule fired is settled in one transaction, and a row
 * whose lease was lost is left to its new holder. Returns for how many rows there was no time.
 */
async function evaluate(context: RuleContext, guildId: string, taken: readonly Pending[]): Promise<number> {
  const rules = await findRules(context, guildId);
  const lockdowns = await findLockdownRules(context, guildId);
  const own = rules && !rules.unreadable ? rules : undefined;
  if (!own && !lockdowns) {
    const note = rules?.unreadable?.message ?? notLinked;
    await closePending(
      context,
      taken.map((pending) => close(pending, pending.linked ? note : notLinked)),
    );
    return 0;
  }
  const linked = taken.filter((pending) => pending.linked);
  const tooSlow = new Set<string>();
  const evaluations = await considerEvents(context, {
    queue: `server ${guildId}`,
    // Lockdowns first: no rule of the file stops them.
    ruleSets: [lockdowns, own?.ruleSet].flatMap((ruleSet) => ruleSet ?? []),
    occurrences: linked.map(({ occurrence }) => occurrence),
    tooSlow: [...(lockdowns ? [new Set<string>()] : []), ...(own ? [tooSlow] : [])],
    until: { begin: performance.now() + turn, goOn: performance.now() + longest },
  });
  const closed = taken.filter((pending) => !pending.linked).map((pending) => close(pending, notLinked));
  const released: Pending[] = [];
  const fired: Fired[] = [];
  for (const [index, pending] of linked.entries()) {
    const found = evaluations[index];
    if (!found) {
      released.push(pending);
      continue;
    }
    const { postponedRules } = pending;
    const verdicts = joinVerdicts(found).filter(({ rule }) => postponedRules?.includes(rule.id) ?? true);
    const [byLockdowns, byFile] = lockdowns ? found : [undefined, found[0]];
    const unreadable = rules?.unreadable?.message ?? null;
    const ofLockdowns = whyRefused(byLockdowns);
    const ofFile = byFile ? whyRefused(byFile) : (unreadable ?? notLinked);
    const whyUnknown = (ruleId: string) =>
      lockdowns?.rules.some(({ id }) => id === ruleId) ? ofLockdowns : ofFile;
    if (verdicts.length > 0) fired.push({ pending, rules: own, verdicts, whyUnknown });
    else closed.push({ pending, note: ofLockdowns ?? whyRefused(byFile) ?? unreadable, whyUnknown });
  }
  await closePending(context, closed);
  await releasePending(context, released);
  if (fired.length > 0) await settleAll(context, fired);
  if (own && tooSlow.size > 0) await turnOffSlow(context, guildId, own, tooSlow);
  return released.length;
}

/** Verdicts of lockdowns and the server's file; a file's rule with a lockdown's id is ignored while that runs. */
function joinVerdicts(evaluations: readonly Evaluation[]): Verdict[] {
  const verdicts = new Map<string, Verdict>();
  for (const evaluation of evaluations) {
    for (const verdict of evaluation.asked ? evaluation.verdicts : (evaluation.undecided ?? [])) {
      if (!verdicts.has(verdict.rule.id)) verdicts.set(verdict.rule.id, verdict);
    }
  }
  return [...verdicts.values()];
}

const notLinked = "The channel was no longer linked, or no longer had rules.";

function close(pending: Pending, note: string): Closed {
  return { pending, note, whyUnknown: () => note };
}

/** Why none of the rules could be evaluated; null if some were, or may be later. */
function whyRefused(evaluation: Evaluation | undefined): string | null {
  return evaluation === undefined || evaluation.asked || evaluation.undecided ? null : evaluation.why;
}

interface Fired {
  pending: Pending;
  /** Undefined if only a lockdown acts. */
  rules: RulesInForce | undefined;
  verdicts: Verdict[];
  whyUnknown: WhyUnknown;
}

async function settleAll(context: RuleContext, fired: readonly Fired[]): Promise<void> {
  for (const one of fired) {
    try {
      await settle(context, one);
    } catch (error) {
      // One bad row must not delay the others; its lease expires, and it is retried a few times.
      const { eventId, guildId, attempts } = one.pending;
      noteBrokenOff(context, [one.pending], error);
      context.log.error({ err: error, eventId, guildId, attempts }, "could not settle an event for rules");
    }
  }
  // Not awaited: even without this wake-up, workers find the cases later.
  for (const channelId of new Set(fired.map(({ pending }) => pending.channelId)))
    void context.wake("settle-cases", channelId);
}

async function settle(context: RuleContext, fired: Fired): Promise<void> {
  const changes = new Map<string, RuleSet>();
  for (;;) {
    try {
      await settleOnce(context, fired, changes);
      return;
    } catch (error) {
      if (!(error instanceof ModeWanted) || !fired.rules) throw error;
      const { ruleThreads } = context;
      const queue = `server ${fired.pending.guildId}`;
      const { source } = fired.rules;
      const changed = await ruleThreads.edit(queue, "changeMode", source, [error.ruleId], error.mode);
      changes.set(error.key, await ruleThreads.read(queue, changed));
    }
  }
}

function settleOnce(
  context: RuleContext,
  { pending, rules, verdicts, whyUnknown }: Fired,
  changes: ReadonlyMap<string, RuleSet>,
): Promise<void> {
  const { occurrence, postponements } = pending;
  return context.database.transaction(async (tx) => {
    if (!(await holdPending(tx, pending))) return;
    const pause = await findPause(tx, context.clock, pending);
    const situation = { occurrence, version: rules?.version ?? 0, pause, postponements, changes };
    const { events, askAgain } = await actOnVerdicts(tx, context, situation, verdicts);
    const decided = verdicts.map(({ rule }) => rule.id);
    await endPostponed(tx, endedVerdicts({ pending, whyUnknown }, decided));
    const isForRoom = verdicts.some(({ missing }) => missing === "limits");
    if (askAgain.length > 0) await putOffPending(tx, context, pending, askAgain, isForRoom);
    else await dropPending(tx, pending);
    // Last, because it locks the counter that orders all events.
    if (events.length > 0) await context.appendEvents(tx, events);
  });
}
