import { randomUUID } from "node:crypto";
import type { RuleContext } from "../context.ts";
import { decide } from "../decide/decide.ts";
import { asksStill, evaluate, type Verdict } from "../evaluate/evaluate.ts";
import type { Facts } from "../evaluate/fact.ts";
import { loadFacts } from "../facts/load-facts.ts";
import {
  closePending,
  dropPending,
  holdPending,
  putOffPending,
  takePending,
  type Pending,
} from "./pending.ts";
import { mostAskedAgain } from "../limits/judge.ts";
import { findPause } from "../limits/pause.ts";
import { findRules, type RulesInForce } from "../versions/rules-of-server.ts";

/**
 * Evaluates a batch of what waits, and gives how many rows it took; 0 when nothing is due. Everything is read before
 * anything is written; each event that a rule fired on is settled in one transaction, and a row whose lease was lost
 * meanwhile is left to whoever has it now.
 */
export async function evaluatePending(context: RuleContext): Promise<number> {
  const token = randomUUID();
  const taken = await takePending(context, token);
  if (taken.length === 0) return 0;
  const rules = await readRules(context, taken);
  const questions = taken.map(({ guildId, linked, occurrence }) => {
    const inForce = rules.get(guildId);
    return {
      occurrence,
      asks: linked && inForce ? (known: Facts) => asksStill(inForce.ruleSet, occurrence, known) : [],
    };
  });
  const facts = await loadFacts(context, questions);
  const closed: { pending: Pending; note: string | null }[] = [];
  const later: Pending[] = [];
  const fired: Fired[] = [];
  for (const [index, pending] of taken.entries()) {
    const inForce = rules.get(pending.guildId);
    const known = facts[index];
    if (!pending.linked || !inForce || !known) {
      closed.push({ pending, note: "The channel was not linked, or had no rules, any more." });
      continue;
    }
    if (inForce.unreadable) {
      closed.push({ pending, note: inForce.unreadable.message });
      continue;
    }
    const evaluation = evaluate(inForce.ruleSet, pending.occurrence, known, context.botFid);
    if (!evaluation.asked && evaluation.mayPass && pending.askedAgain < mostAskedAgain) later.push(pending);
    else if (!evaluation.asked) closed.push({ pending, note: evaluation.why });
    else {
      const { asksRules } = pending;
      const verdicts = evaluation.verdicts.filter(({ rule }) => asksRules?.includes(rule.id) ?? true);
      if (verdicts.length === 0) closed.push({ pending, note: null });
      else fired.push({ pending, version: inForce.version, verdicts });
    }
  }
  await closePending(context, token, closed);
  for (const pending of later) await putOff(context, pending);
  if (fired.length > 0) await settleAll(context, fired);
  return taken.length;
}

/** Nothing is known of who is exempt: every rule waits. */
function putOff(context: RuleContext, pending: Pending): Promise<void> {
  return context.database.transaction(async (tx) => {
    if (await holdPending(tx, pending)) await putOffPending(tx, context, pending, pending.asksRules);
  });
}

interface Fired {
  pending: Pending;
  version: number;
  verdicts: Verdict[];
}

async function readRules(
  context: RuleContext,
  taken: readonly Pending[],
): Promise<Map<string, RulesInForce>> {
  const rules = new Map<string, RulesInForce>();
  for (const guildId of new Set(taken.map((pending) => pending.guildId))) {
    const found = await findRules(context.database.query, guildId, context.parsedRules);
    if (found) rules.set(guildId, found);
  }
  return rules;
}

async function settleAll(context: RuleContext, fired: readonly Fired[]): Promise<void> {
  for (const one of fired) {
    try {
      await settle(context, one);
    } catch (error) {
      // One bad row must not hold up the others; its lease runs out, and it is tried again a few times.
      const { eventId, guildId, attempts } = one.pending;
      context.log.error({ err: error, eventId, guildId, attempts }, "rules could not settle an event");
    }
  }
  await Promise.all([context.poke("settle-cases"), context.poke("deliver-feed")]);
}

async function settle(context: RuleContext, { pending, version, verdicts }: Fired) {
  const { occurrence, askedAgain } = pending;
  await context.database.transaction(async (tx) => {
    if (!(await holdPending(tx, pending))) return;
    const pause = await findPause(tx, context.clock, pending);
    const situation = { occurrence, version, pause, askedAgain };
    const { events, askAgain } = await decide(tx, context, situation, verdicts);
    if (askAgain.length > 0) await putOffPending(tx, context, pending, askAgain);
    else await dropPending(tx, pending);
    // Last: it takes the counter that orders all events.
    if (events.length > 0) await context.appendEvents(tx, events);
  });
}
