import { createLeafReader, explain, truthOf, type EvaluatedNode, type LeafReader } from "./condition.ts";
import { channelRoles } from "../facts/channel-roles.ts";
import type { Facts, Missing, Need } from "../facts/fact.ts";
import { coversChannel } from "../../text/glob.ts";
import { isAboutUser, type Occurrence } from "./occurrence.ts";
import type { CompiledRule, CompiledRules, Rule, RuleSet } from "./rule-set.ts";

/** Chains of rules that act on each other's actions are not evaluated beyond this depth. */
export const deepest = 3;

/** A rule that fired, or whose result is unknown. Other rules are left out. */
export interface Verdict {
  rule: Rule;
  truth: true | "unknown";
  tree: EvaluatedNode;
  /** Why an unknown result may be known later: see Fact; or it is unknown whether the author is exempt. */
  missing?: Missing | "exemption";
}

/**
 * The rules' result for an event, or why none was evaluated. `undecided`: the rules that apply or may apply, if the author
 * is not exempt, which is unknown.
 */
export type Evaluation =
  { asked: true; verdicts: Verdict[] } | { asked: false; why: string; undecided?: Verdict[] };

/** Runs a rule's condition; undefined if the rule takes too long and was not run, so its result is unknown. */
export type Watch = <T>(rule: CompiledRule, run: () => T) => T | undefined;

const unwatched: Watch = (_, run) => run();

/** Replaces the condition of a rule that takes too long. */
const overTime: EvaluatedNode = {
  kind: "leaf",
  name: "time",
  sentence: "the rule is quick enough",
  truth: "unknown",
  value: null,
  why: "the rule, or all rules together, took too long on the event",
};

/** Replaces the condition of a rule while it is unknown whether the author is exempt. */
const notExempt = {
  kind: "leaf",
  name: "exempt",
  sentence: "the author is not exempt",
  truth: "unknown",
  value: null,
} as const;

/** The rules for this kind of event, in order. */
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
    coversChannel(channels, channelId)
  );
}

/** All facts that the rules need about an event, even if they change nothing: for an explanation. */
export function allNeeds(ruleSet: CompiledRules, occurrence: Occurrence): Need[] {
  return needsOf(ruleSet, listenersTo(ruleSet, occurrence));
}

/** An evaluation before any further facts are loaded. */
interface BegunEvaluation {
  /** Rules that apply or may apply by the known facts; the others cannot apply. */
  possible: CompiledRule[];
  /** The facts that those rules need; empty if there are none. */
  needs: Need[];
  /** The evaluation by the known facts. */
  conclude(): Evaluation;
}

/** `among`: the rules that were possible when fewer facts were known. */
export function beginEvaluation(
  ruleSet: CompiledRules,
  occurrence: Occurrence,
  facts: Facts,
  botFid: number,
  watch: Watch = unwatched,
  among: readonly CompiledRule[] = ruleSet.findCandidates(occurrence),
): BegunEvaluation {
  const read = createLeafReader(occurrence, facts);
  const found = findPossible(among, occurrence, read, watch);
  const possible = found.map(({ rule }) => rule);
  return {
    possible,
    needs: needsOf(ruleSet, possible),
    conclude: () => judge(ruleSet, found, { occurrence, facts, read }, botFid, watch),
  };
}

function needsOf({ exempt }: RuleSet, rules: readonly CompiledRule[]): Need[] {
  if (rules.length === 0) return [];
  const needs = rules.flatMap((rule) => rule.needs);
  return exempt.length > 0 ? [channelRoles, ...needs] : needs;
}

interface Possible {
  rule: CompiledRule;
  truth: true | "unknown";
}

/** Rules that apply, or may apply, by the known facts. */
function findPossible(
  rules: readonly CompiledRule[],
  occurrence: Occurrence,
  read: LeafReader,
  watch: Watch,
): Possible[] {
  const possible: Possible[] = [];
  for (const rule of rules) {
    if (!listens(rule, occurrence)) continue;
    const truth = watch(rule, () => truthOf(rule.when, read)) ?? "unknown";
    if (truth !== false) possible.push({ rule, truth });
  }
  return possible;
}

/** Depends only on its arguments: the same rules, event and facts give the same result, live or rehearsed. */
export function evaluate(
  ruleSet: CompiledRules,
  occurrence: Occurrence,
  facts: Facts,
  botFid: number,
): Evaluation {
  return beginEvaluation(ruleSet, occurrence, facts, botFid).conclude();
}

/** The author's exemption is checked only if some rule may apply. */
function judge(
  ruleSet: CompiledRules,
  possible: readonly Possible[],
  { occurrence, facts, read }: { occurrence: Occurrence; facts: Facts; read: LeafReader },
  botFid: number,
  watch: Watch,
): Evaluation {
  if (possible.length === 0) return { asked: true, verdicts: [] };
  const why = whyUntouchable(ruleSet, occurrence, facts, botFid);
  if (why) return { asked: false, why };
  const unknown = doubtExemption(ruleSet, occurrence, facts);
  if (unknown) {
    const tree = { ...notExempt, why: unknown };
    const verdict = { truth: "unknown", tree, missing: "exemption" } as const;
    return { asked: false, why: unknown, undecided: possible.map(({ rule }) => ({ rule, ...verdict })) };
  }
  const verdicts: Verdict[] = [];
  for (const { rule, truth } of possible) {
    const tree = watch(rule, () => explain(rule.when, read));
    // Time ran out between the two: without its tree, the rule's result is unknown.
    if (tree) verdicts.push({ rule, truth, tree, ...findMissing(rule, truth, facts) });
    else verdicts.push({ rule, truth: "unknown", tree: overTime });
    // A rule in shadow changes nothing, so it does not stop others from acting.
    if (truth === true && rule.stop && rule.mode !== "shadow") break;
  }
  return { asked: true, verdicts };
}

/** Limits come before silence, because they are Castellan's own, or soon over. */
function findMissing(
  { needs }: CompiledRule,
  truth: Verdict["truth"],
  facts: Facts,
): Pick<Verdict, "missing"> {
  if (truth !== "unknown") return {};
  const found = new Set(needs.map((need) => facts.read(need).missing));
  if (found.has("limits")) return { missing: "limits" };
  return found.has("silence") ? { missing: "silence" } : {};
}

/** Why no rule may act on the event, or its author. */
function whyUntouchable(
  { exempt }: RuleSet,
  occurrence: Occurrence,
  facts: Facts,
  botFid: number,
): string | undefined {
  const { authorFid, event } = occurrence;
  if (event.depth > deepest)
    return `Not evaluated: rules have triggered each other ${event.depth} times in a row.`;
  if (!isAboutUser(event.kind)) return undefined;
  if (authorFid === null) return "The author is not known, so it is not known whether rules may act on them.";
  if (authorFid === botFid) return "The author is this bot, which is always exempt.";
  const roles = facts.read(channelRoles);
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
  const roles = facts.read(channelRoles);
  return roles.known ? undefined : `It is not known whether the author is exempt: ${roles.why}`;
}
