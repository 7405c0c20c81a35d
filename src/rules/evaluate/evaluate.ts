import { explain, truthOf, type EvaluatedNode } from "./condition.ts";
import type { Ask, Facts } from "./fact.ts";
import { askChannelRoles } from "../facts/channel-roles.ts";
import { fitsGlob } from "../text/glob.ts";
import { isAboutUser, type Occurrence } from "./occurrence.ts";
import { findCandidates } from "./rule-index.ts";
import type { CompiledRule, CompiledRules, Rule, RuleSet } from "./rule-set.ts";

/** Beyond this many rules in a row, each acting on what the one before did, nothing is evaluated. */
export const deepest = 3;

/** A rule that fired, or could not tell. Those that did not are left out. */
export interface Verdict {
  rule: Rule;
  truth: true | "unknown";
  tree: EvaluatedNode;
}

/** What the rules say of an event, or why none was asked; `mayPass` where asking again later may help. */
export type Evaluation = { asked: true; verdicts: Verdict[] } | { asked: false; why: string; mayPass?: true };

/**
 * Runs a rule's looks at an event; undefined for a rule that may not look, for it takes too long. Such a rule cannot tell
 * whether it applies.
 */
export type Watch = <T>(rule: CompiledRule, look: () => T) => T | undefined;

const letLook: Watch = (_, look) => look();

/** What is told of a rule that takes too long, in place of its condition. */
const overTime: EvaluatedNode = {
  kind: "leaf",
  name: "time",
  sentence: "the rule is quick enough",
  truth: "unknown",
  value: null,
  why: "looking at the event takes the rule, or all rules together, too long",
};

/** The rules that listen to an event, in order. */
export function listenersTo({ rules }: CompiledRules, occurrence: Occurrence): CompiledRule[] {
  return rules.filter((rule) => listens(rule, occurrence));
}

function listens(
  { id, mode, on, timers, channels }: Rule,
  { event, channelId, causedByRule }: Occurrence,
): boolean {
  return (
    mode !== "off" &&
    on.includes(event.kind) &&
    (event.kind !== "timer.fired" || timers.includes(event.data.every)) &&
    id !== causedByRule &&
    (channels === null || channels.some((glob) => fitsGlob(glob, channelId)))
  );
}

/** Everything that the listening rules ask about an event, needed or not: what an explanation shows. */
export function asksAbout(ruleSet: CompiledRules, occurrence: Occurrence): Ask<unknown>[] {
  return asksOf(ruleSet, listenersTo(ruleSet, occurrence));
}

/** What rules that may still apply ask about an event, by what is known of it; nothing when none does. */
export function asksStill(
  ruleSet: CompiledRules,
  occurrence: Occurrence,
  known: Facts,
  watch: Watch = letLook,
): Ask<unknown>[] {
  return asksOf(
    ruleSet,
    findPossible(ruleSet, occurrence, known, watch).map(({ rule }) => rule),
  );
}

function asksOf({ exempt }: RuleSet, rules: readonly CompiledRule[]): Ask<unknown>[] {
  if (rules.length === 0) return [];
  const asks = rules.flatMap((rule) => rule.asks);
  return exempt.length > 0 ? [askChannelRoles, ...asks] : asks;
}

interface Possible {
  rule: CompiledRule;
  truth: true | "unknown";
}

/** Rules of which it is not certain that they do not apply. */
function findPossible(
  ruleSet: CompiledRules,
  occurrence: Occurrence,
  known: Facts,
  watch: Watch,
): Possible[] {
  return findCandidates(ruleSet, occurrence).flatMap((rule) => {
    if (!listens(rule, occurrence)) return [];
    const truth = watch(rule, () => truthOf(rule.when, occurrence, known)) ?? "unknown";
    return truth === false ? [] : { rule, truth };
  });
}

/**
 * Decides by what it is given alone: same rules, event and facts, same answer, live or rehearsed. Whether rules may touch
 * the author matters only where one might: who is exempt is not asked about otherwise, so it is not in doubt either.
 */
export function evaluate(
  ruleSet: CompiledRules,
  occurrence: Occurrence,
  facts: Facts,
  botFid: number,
  watch: Watch = letLook,
): Evaluation {
  const possible = findPossible(ruleSet, occurrence, facts, watch);
  if (possible.length === 0) return { asked: true, verdicts: [] };
  const why = refuse(ruleSet, occurrence, facts, botFid);
  if (why) return { asked: false, why };
  const doubt = doubtExemption(ruleSet, occurrence, facts);
  if (doubt) return { asked: false, why: doubt, mayPass: true };
  const verdicts: Verdict[] = [];
  for (const { rule, truth } of possible) {
    const tree = watch(rule, () => explain(rule.when, occurrence, facts));
    // Out of time between the two: what was found stands no longer for the whole.
    verdicts.push(tree ? { rule, truth, tree } : { rule, truth: "unknown", tree: overTime });
    // A rule on trial changes nothing, so it does not keep others from acting either.
    if (truth === true && rule.stop && rule.mode !== "shadow") break;
  }
  return { asked: true, verdicts };
}

function refuse(
  { exempt }: RuleSet,
  occurrence: Occurrence,
  facts: Facts,
  botFid: number,
): string | undefined {
  const { authorFid, event } = occurrence;
  if (event.depth > deepest) return `Rules acting on rules, ${event.depth} deep: not evaluated.`;
  if (!isAboutUser(event.kind)) return undefined;
  if (authorFid === null) return "The author is not known, so neither is whether rules may touch them.";
  if (authorFid === botFid) return "The author is this bot, which no rule touches.";
  const roles = facts.read(askChannelRoles);
  if (!roles.known) return undefined;
  if (exempt.includes("owner") && roles.value.owner === authorFid)
    return "The author owns the channel: exempt.";
  if (exempt.includes("moderators") && roles.value.moderators.includes(authorFid)) {
    return "The author moderates the channel: exempt.";
  }
  return undefined;
}

function doubtExemption({ exempt }: RuleSet, { event }: Occurrence, facts: Facts): string | undefined {
  if (exempt.length === 0 || !isAboutUser(event.kind)) return undefined;
  const roles = facts.read(askChannelRoles);
  return roles.known ? undefined : `Whether the author is exempt is not known: ${roles.why}`;
}
