import type { Insertable } from "kysely";
import type { Tx } from "../database/database.ts";
import type { RuleDecisionTable } from "../database/tables/rules.ts";
import type { NewChannelEvent } from "../observe/event.ts";
import type { PlannedAction } from "./action.ts";
import type { RuleContext } from "./context.ts";
import type { Verdict } from "./evaluate.ts";
import type { Occurrence } from "./occurrence.ts";

/** Seconds after which an event is too old for acting on it unseen. */
export const freshness = 3600;

/** What deciding on one event needs besides the rules' verdicts. */
export interface Situation {
  occurrence: Occurrence;
  version: number;
  /** Why rules do not act in this channel now. */
  pause: string | undefined;
}

type Decision = Insertable<RuleDecisionTable>;
type Outcome = Pick<Decision, "outcome" | "why" | "case_id">;

/** Writes what was decided, proposes what is to be done, and gives the events that tell of it. */
export async function decide(
  tx: Tx,
  context: RuleContext,
  situation: Situation,
  verdicts: readonly Verdict[],
): Promise<NewChannelEvent[]> {
  const decisions: Decision[] = [];
  const hits: NewChannelEvent[] = [];
  for (const verdict of verdicts) {
    const said: string[] = [];
    for (const [index, action] of verdict.rule.actions.entries()) {
      const outcome = await carryOut(tx, context, situation, verdict, action, index);
      decisions.push({ ...describe(context, situation, verdict, action), action_index: index, ...outcome });
      said.push(outcome.why ? `${action.sentence}: not done. ${outcome.why}` : action.sentence);
    }
    if (verdict.truth === true) hits.push(toHit(context, situation, verdict, said));
  }
  await tx
    .insertInto("castellan.rule_decisions")
    .values(decisions)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return hits;
}

async function carryOut(
  tx: Tx,
  { clock, propose }: RuleContext,
  { occurrence, version, pause }: Situation,
  { rule, truth }: Verdict,
  action: PlannedAction,
  actionIndex: number,
): Promise<Outcome> {
  const { guildId, channelId, event, text, name } = occurrence;
  if (truth === "unknown") return withhold("unknown", "Whether the rule applies is not known.");
  if (rule.mode !== "enforce") return withhold("would_have", null);
  const age = clock.now() / 1000 - event.occurredAt;
  if (age > freshness) return withhold("too_old", "It happened more than an hour ago.");
  if (pause) return withhold("paused", pause);
  const aimed = action.aim(occurrence);
  if ("impossible" in aimed) return withhold("impossible", aimed.impossible);
  const caseId = await propose(tx, {
    guildId,
    channelId,
    eventId: event.id,
    ruleId: rule.id,
    ruleVersion: version,
    actionIndex,
    depth: event.depth + 1,
    action: aimed,
    evidence: (text ?? name)?.raw ?? null,
  });
  return { outcome: "acted", why: null, case_id: caseId };
}

function withhold(outcome: Decision["outcome"], why: string | null): Outcome {
  return { outcome, why, case_id: null };
}

function describe(
  { clock }: RuleContext,
  { occurrence, version }: Situation,
  { rule, tree }: Verdict,
  action: PlannedAction,
) {
  return {
    event_id: occurrence.event.id,
    guild_id: occurrence.guildId,
    channel_id: occurrence.channelId,
    rule_id: rule.id,
    rule_version: version,
    mode: rule.mode === "enforce" ? ("enforce" as const) : ("shadow" as const),
    action: action.sentence,
    tree: JSON.stringify(tree),
    decided_at_ms: clock.now(),
  };
}

function toHit(
  { clock }: RuleContext,
  { occurrence, version }: Situation,
  { rule }: Verdict,
  actions: string[],
): NewChannelEvent {
  const { event, guildId, channelId, authorFid } = occurrence;
  return {
    sourceKey: `rule:${event.id}:${guildId}:${channelId}:${rule.id}`,
    kind: "rule.hit",
    channelId,
    subjectFid: authorFid,
    occurredAt: Math.floor(clock.now() / 1000),
    observedAt: clock.now(),
    depth: event.depth + 1,
    caseId: null,
    data: { guildId, ruleId: rule.id, version, mode: rule.mode, actions, eventId: event.id },
  };
}
