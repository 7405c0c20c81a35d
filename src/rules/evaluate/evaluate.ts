import { createLeafReader, explain, truthOf, type EvaluatedNode, type LeafReader } from "./condition.ts";
import { channelRoles } from "../facts/channel-roles.ts";
import type { Facts, Missing, Need } from "../facts/fact.ts";
import { coversChannel } from "../text/glob.ts";
import { isAboutUser, type Occurrence } from "./occurrence.ts";
import type { CompiledRule, CompiledRules, Rule, RuleSet } from "./rule-set.ts";

/** Beyond this many rules in a row, each acting on what the one before did, nothing is evaluated. */
export const deepest = 3;

/** A rule that fired, or could not tell. Those that did not are left out. */
export interface Verdict {
  rule: Rule;
  truth: true | "unknown";
  tree: EvaluatedNode;
  /** Why what the rule needs to know may be known later: see Fact. Of one that is unknown. */
  missing?: Missing;
}

/** What the rules say of an event, or why none was asked; `mayPass` where asking again later may help. */
export type Evaluation = { asked: true; verdicts: Verdict[] } | { asked: false; why: string; mayPass?: true };

/** Runs a rule's condition; undefined for a rule that takes too long and is not run: it cannot tell whether it applies. */
export type Watch = <T>(rule: CompiledRule, run: () => T) => T | undefined;

const unwatched: Watch = (_, run) => run();

/** What stands for the condition of a rule that takes too long. */
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
    coversChannel(channels, channelId)
  );
}

/** Everything that the listening rules need to know about an event, even where it changes nothing: for an explanation. */
export function allNeeds(ruleSet: CompiledRules, occurrence: Occurrence): Need[] {
  return needsOf(ruleSet, listenersTo(ruleSet, occurrence));
}

/** An evaluation before anything more is found out. */
interface BegunEvaluation {
  /** Rules that apply or may apply, by what is known of the event; whatever else comes out, the others do not. */
  possible: CompiledRule[];
  /** What those need to know; nothing when there are none. */
  needs: Need[];
  /** The evaluation by what is known now. */
  conclude(): Evaluation;
}

/** `among` are the rules that were possible when less was known. */
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

/** Rules that apply, or may apply for all that is known. */
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

/** Depends on its arguments alone: the same rules, event and facts give the same answer, live or rehearsed. */
export function evaluate(
  ruleSet: CompiledRules,
  occurrence: Occurrence,
  facts: Facts,
  botFid: number,
): Evaluation {
  return beginEvaluation(ruleSet, occurrence, facts, botFid).conclude();
}

/** Whether the author is exempt is looked at only where some rule may apply. */
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
  const doubt = doubtExemption(ruleSet, occurrence, facts);
  if (doubt) return { asked: false, why: doubt, mayPass: true };
  const verdicts: Verdict[] = [];
  for (const { rule, truth } of possible) {
    const tree = watch(rule, () => explain(rule.when, read));
    // Time ran out between the two: without its tree, the rule cannot tell.
    if (tree) verdicts.push({ rule, truth, tree, ...findMissing(rule, truth, facts) });
    else verdicts.push({ rule, truth: "unknown", tree: overTime });
    // A rule on trial changes nothing, so it does not keep others from acting either.
    if (truth === true && rule.stop && rule.mode !== "shadow") break;
  }
  return { asked: true, verdicts };
}

/** Limits before silence: they are Castellan's own, or soon over. */
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
  if (event.depth > deepest) return `Rules acting on rules, ${event.depth} deep: not evaluated.`;
  if (!isAboutUser(event.kind)) return undefined;
  if (authorFid === null) return "The author is not known, so neither is whether rules may touch them.";
  if (authorFid === botFid) return "The author is this bot, which no rule touches.";
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
  return roles.known ? undefined : `Whether the author is exempt is not known: ${roles.why}`;
}
