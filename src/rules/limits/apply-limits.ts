import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import type { RuleDecisionTable } from "../../database/tables/rules.ts";
import type { NewChannelEvent } from "../../observe/events.ts";
import { actsOn } from "../actions/action.ts";
import type { EvaluatedNode } from "../evaluate/condition.ts";
import type { Verdict } from "../evaluate/evaluate.ts";
import type { RuleSet } from "../evaluate/rule-set.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { checkBreaker, rehearseBreaker } from "./breaker.ts";
import { beginCooldown } from "./cooldown.ts";
import { showMoment } from "../../text/since.ts";

/** Seconds after which an event is too old to act on without review. */
export const freshness = 3600;
/** How often a deferring rule is retried before it is reviewed, or acts; half a minute in total. */
export const maxPostponements = 10;
const maxBeforeActing = 3;

/** Needed to act on one event, besides the rules' verdicts. */
export interface Situation {
  occurrence: Occurrence;
  version: number;
  /** Why rules do not act in this channel now. */
  pause: string | undefined;
  /** How often the event has been put off so far. */
  postponements: number;
  /** The rules with a tripped rule's mode changed, if already edited: see ModeWanted. */
  changes?: ReadonlyMap<string, RuleSet>;
}

/** Whether a rule acts, goes to review, or does nothing. */
export type Ruling = {
  events: readonly NewChannelEvent[];
  /** Announced although no action was taken. */
  isNews?: boolean;
} & (
  | { kind: "act"; why: string | null }
  | { kind: "hold"; why: string | null }
  | { kind: "withhold"; outcome: RuleDecisionTable["outcome"]; why: string | null }
);

/** Checks everything that can stop a rule that fired; if nothing does, this firing counts towards its limits. */
export async function applyLimits(
  tx: Tx,
  clock: Clock,
  situation: Situation,
  verdict: Verdict,
): Promise<Ruling> {
  const { occurrence, pause } = situation;
  const { rule } = verdict;
  const doubt = verdict.truth === "unknown" ? describeDoubt(verdict.tree) : null;
  if (doubt !== null) {
    const ruling = await ruleInDoubt(tx, clock, situation, verdict, doubt);
    if (ruling) return ruling;
  }
  if (rule.mode === "shadow") return applyToTrial(tx, clock, situation, rule);
  if (pause) return withhold("paused", pause);
  const cools = await cooling(tx, situation, rule);
  if (cools) return cools;
  if (rule.mode === "review") return hold(null);
  if (ageOf(clock, occurrence) > freshness) return hold("It happened more than an hour ago.");
  const tripped = await checkBreaker(tx, clock, rule, scopeOf(situation));
  if (!tripped) return { kind: "act", why: doubt, events: [] };
  const why = "The rule acted too often.";
  return tripped.mode === "review"
    ? { kind: "hold", why, events: tripped.events }
    : { kind: "withhold", outcome: "would_have", why, events: tripped.events };
}

/** The ruling on an unknown result; undefined if the rule acts anyway. */
async function ruleInDoubt(
  tx: Tx,
  clock: Clock,
  situation: Situation,
  { rule, missing }: Verdict,
  why: string,
): Promise<Ruling | undefined> {
  const { mode, onUnknown } = rule;
  const maxWaits = onUnknown === "act" ? maxBeforeActing : maxPostponements;
  // Whatever the rule's mode and on_unknown: otherwise a short silence would bring the casts of moderators to review.
  if (missing === "exemption" && situation.postponements < maxWaits) return withhold("postponed", why);
  if (mode === "shadow") return withhold("unknown", why);
  // The fact was never requested, because of call limits rather than anything about the rule.
  const isToBeAsked = onUnknown === "skip" && missing === "limits" && mayPostpone(clock, situation);
  if (onUnknown === "skip" && !isToBeAsked) return withhold("unknown", why);
  if (situation.pause) return withhold("paused", situation.pause);
  if (onUnknown !== "review" && mayPostpone(clock, situation, maxWaits)) return withhold("postponed", why);
  if (onUnknown === "act") return undefined;
  return (await cooling(tx, situation, rule)) ?? hold(why);
}

function describeDoubt(tree: EvaluatedNode): string {
  return `It is not known whether the rule applies. ${unknownsOf(tree).join(" ")}`;
}

/** What its limits would have allowed in force; pauses do not count, because they are not the rule's own. */
async function applyToTrial(
  tx: Tx,
  clock: Clock,
  situation: Situation,
  rule: Verdict["rule"],
): Promise<Ruling> {
  const cools = await cooling(tx, situation, rule);
  if (cools) return cools;
  if (ageOf(clock, situation.occurrence) > freshness) {
    return withhold("too_old", "It happened more than an hour ago, so it would have gone to review.");
  }
  // Reviews do not count towards a breaker.
  if (!actsOn(rule.actions, situation.occurrence)) return withhold("would_have", null);
  const tripped = await rehearseBreaker(tx, clock, rule, scopeOf(situation));
  if (!tripped) return withhold("would_have", null);
  const ruling = withhold("cooling", "Its breaker stops it, because it would have acted too often.");
  return { ...ruling, isNews: tripped === "now" };
}

function scopeOf({ occurrence: { guildId, channelId, event }, version, changes }: Situation) {
  return { guildId, channelId, version, changes, depth: event.depth + 1 };
}

async function cooling(
  tx: Tx,
  { occurrence }: Situation,
  rule: Verdict["rule"],
): Promise<Ruling | undefined> {
  const until = await beginCooldown(tx, rule, occurrence);
  if (until === undefined) return undefined;
  // Stored, and shown outside Discord, too.
  return withhold("cooling", `It acted recently and is in cooldown until ${showMoment(until)}.`);
}

function mayPostpone(
  clock: Clock,
  { occurrence, postponements }: Situation,
  most: number = maxPostponements,
): boolean {
  return postponements < most && ageOf(clock, occurrence) <= freshness;
}

function ageOf(clock: Clock, { event }: Occurrence): number {
  return clock.now() / 1000 - event.occurredAt;
}

/** Why each unknown leaf is unknown. */
function unknownsOf(node: EvaluatedNode): string[] {
  if (node.kind !== "leaf") return [...new Set(node.parts.flatMap(unknownsOf))];
  return node.truth === "unknown" && node.why !== undefined ? [`${node.name}: ${node.why}`] : [];
}

function hold(why: string | null): Ruling {
  return { kind: "hold", why, events: [] };
}

function withhold(outcome: RuleDecisionTable["outcome"], why: string | null): Ruling {
  return { kind: "withhold", outcome, why, events: [] };
}
