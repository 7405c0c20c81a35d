import type { Insertable } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import type { RuleDecisionTable } from "../../database/tables/rules.ts";
import { hitSource, newEvent, type NewChannelEvent } from "../../observe/events.ts";
import type { ActionOrigin, HeldAction } from "../actions/action.ts";
import { carryOut, type ActContext, type CarriedOut } from "../actions/carry-out.ts";
import type { Verdict } from "../evaluate/evaluate.ts";
import { applyLimits, type Ruling, type Situation } from "../limits/apply-limits.ts";
import { reportUnknown } from "../limits/report-unknown.ts";
import { holdForReview } from "./hold-for-review.ts";
import { saveVerdicts } from "./stored-verdicts.ts";
import { readSeen } from "./read-seen.ts";

type VerdictRow = Insertable<RuleDecisionTable>;
type ActionOutcome = Pick<VerdictRow, "outcome" | "why" | "case_id">;

interface ActedOnVerdicts {
  /** To be appended last in the transaction. */
  events: NewChannelEvent[];
  /** Ids of postponed rules to evaluate again. */
  askAgain: string[];
}

/** Stores the rules' verdicts on an event, and carries out, queues or withholds their actions. */
export async function actOnVerdicts(
  tx: Tx,
  context: ActContext,
  situation: Situation,
  verdicts: readonly Verdict[],
): Promise<ActedOnVerdicts> {
  const rulings: { verdict: Verdict; ruling: Ruling }[] = [];
  // All limits first, in the order of the rules, so that two workers lock them in the same order.
  for (const verdict of verdicts) {
    rulings.push({ verdict, ruling: await applyLimits(tx, context.clock, situation, verdict) });
  }
  const rows: VerdictRow[] = [];
  const events: NewChannelEvent[] = rulings.flatMap(({ ruling }) => ruling.events);
  for (const { verdict, ruling } of rulings) {
    const done = await settleVerdict(tx, context, situation, verdict, ruling);
    rows.push(
      ...done.outcomes.map((outcome, index) => ({
        ...toRow(context.clock, situation, verdict, index),
        ...outcome,
      })),
    );
    if (isNews(verdict, ruling, done.outcomes))
      events.push(toHit(context.clock, situation, verdict, done.outcomes));
    events.push(...done.events, ...reportUnknown(context.clock, situation, verdict, ruling));
  }
  await saveVerdicts(tx, rows);
  const askAgain = rulings.filter(
    ({ ruling }) => ruling.kind === "withhold" && ruling.outcome === "postponed",
  );
  return { events, askAgain: askAgain.map(({ verdict }) => verdict.rule.id) };
}

/** Whether it is announced as a hit: reviews have their own event, and a rule in cooldown or an unknown is not a hit. */
function isNews({ truth }: Verdict, ruling: Ruling, outcomes: readonly ActionOutcome[]): boolean {
  if (ruling.kind === "hold" || (truth === "unknown" && ruling.kind !== "act")) return false;
  return ruling.isNews === true || outcomes.some(({ outcome }) => outcome !== "cooling");
}

/** One outcome for each action of the rule. */
async function settleVerdict(
  tx: Tx,
  context: ActContext,
  { occurrence, version }: Situation,
  { rule }: Verdict,
  ruling: Ruling,
): Promise<{ outcomes: ActionOutcome[]; events: NewChannelEvent[] }> {
  if (ruling.kind === "withhold") {
    const { outcome, why } = ruling;
    return { outcomes: rule.actions.map(() => ({ outcome, why, case_id: null })), events: [] };
  }
  const { guildId, channelId, event, authorFid } = occurrence;
  const evidence = await readSeen(tx, occurrence);
  const outcomes: ActionOutcome[] = [];
  const events: NewChannelEvent[] = [];
  const held: HeldAction[] = [];
  let queue: string | undefined;
  for (const [actionIndex, action] of rule.actions.entries()) {
    const aimed = action.aim(occurrence);
    if ("impossible" in aimed) {
      outcomes.push({ outcome: "impossible", why: aimed.impossible, case_id: null });
    } else if (aimed.kind === "review" || ruling.kind === "hold") {
      if (aimed.kind === "review") queue = aimed.queue ?? rule.id;
      else held.push({ actionIndex, sentence: action.sentence, action: aimed });
      outcomes.push({ outcome: "held", why: ruling.why, case_id: null });
    } else {
      const origin: ActionOrigin = {
        guildId,
        channelId,
        eventId: event.id,
        ruleId: rule.id,
        ruleVersion: version,
        actionIndex,
        actionSource: "rule",
        reviewRound: 0,
        depth: event.depth + 1,
        evidence,
      };
      const done = await carryOut(tx, context, origin, authorFid, aimed);
      events.push(...done.events);
      outcomes.push(toOutcome(done, ruling.why));
    }
  }
  if (queue !== undefined || held.length > 0) {
    const { why } = ruling;
    const item = {
      occurrence,
      evidence,
      ruleId: rule.id,
      version,
      queue: queue ?? rule.id,
      why,
      actions: held,
    };
    events.push(...(await holdForReview(tx, context.clock, item)));
  }
  return { outcomes, events };
}

function toOutcome({ caseId, impossible, noChange }: CarriedOut, doubt: string | null): ActionOutcome {
  if (impossible !== undefined) return { outcome: "impossible", why: impossible, case_id: null };
  if (noChange !== undefined) return { outcome: "cooling", why: noChange, case_id: null };
  return { outcome: "acted", why: doubt, case_id: caseId };
}

function toRow(
  clock: Clock,
  { occurrence, version }: Situation,
  { rule, tree }: Verdict,
  actionIndex: number,
) {
  return {
    event_id: occurrence.event.id,
    guild_id: occurrence.guildId,
    channel_id: occurrence.channelId,
    rule_id: rule.id,
    rule_version: version,
    // Rules that are off are not evaluated.
    mode: rule.mode === "off" ? ("shadow" as const) : rule.mode,
    action_index: actionIndex,
    action: rule.actions[actionIndex]?.sentence ?? "",
    tree: JSON.stringify(tree),
    decided_at_ms: clock.now(),
  };
}

function toHit(
  clock: Clock,
  { occurrence, version }: Situation,
  { rule }: Verdict,
  outcomes: readonly ActionOutcome[],
): NewChannelEvent {
  const { event, guildId, channelId, authorFid } = occurrence;
  const actions = rule.actions.map(({ sentence }, index) => {
    const { outcome, why } = outcomes[index] ?? {};
    if (!why) return sentence;
    return outcome === "acted" ? `${sentence}: done. ${why}` : `${sentence}: not done. ${why}`;
  });
  return newEvent(clock.now(), {
    sourceKey: hitSource({ guildId, channelId, ruleId: rule.id, eventId: event.id }),
    kind: "rule.hit",
    channelId,
    subjectFid: authorFid,
    depth: event.depth + 1,
    data: {
      guildId,
      ruleId: rule.id,
      version,
      mode: rule.mode,
      actions,
      eventId: event.id,
    },
  });
}
