import type { Queryable } from "../../database/database.ts";
import type { RuleDecisionTable } from "../../database/tables/rules.ts";
import type { EvaluatedNode } from "../evaluate/condition.ts";
import { addFacts, readNeed, type Known } from "../facts/load-facts.ts";
import type { Mode } from "../language/rule-file.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { readPast } from "../rehearse/past-events.ts";
import { frozenFacts, type RehearsalContext } from "../rehearse/frozen-facts.ts";
import { findLockdownRules } from "../limits/lockdown.ts";
import { packOccurrence, type ExplainAnswer } from "../threads/messages.ts";
import { findRules } from "../versions/rules-of-server.ts";
import { stillWaits } from "../pending/pending.ts";

/** One rule's verdict on an event, with the result of each action. */
export interface ExplainedVerdict {
  ruleId: string;
  version: number;
  mode: RuleDecisionTable["mode"];
  /** UNIX milliseconds. */
  evaluatedAt: number;
  tree: EvaluatedNode;
  actions: {
    sentence: string;
    outcome: RuleDecisionTable["outcome"];
    why: string | null;
    caseId: number | null;
  }[];
}

/** A rule's result now. */
export interface PresentAnswer {
  ruleId: string;
  mode: Mode;
  tree: EvaluatedNode;
}

export interface Explanation {
  eventId: number;
  channelId: string;
  /** Undefined if the event is no longer stored. */
  occurrence: Occurrence | undefined;
  verdicts: ExplainedVerdict[];
  /** A note from when it happened: why no rule was evaluated, or that the evaluation is still waiting. */
  note: string | undefined;
  /** The present result of active rules that gave no verdict at the time, or why none is evaluated. */
  present: { version: number; asked: true; answers: PresentAnswer[] } | { asked: false; why: string };
}

/** Why rules did or did not act on an event in a channel. Reads only. */
export async function explainEvent(
  context: RehearsalContext,
  guildId: string,
  channelId: string,
  eventId: number,
): Promise<Explanation> {
  const { query } = context.database;
  const past = { guildId, channelIds: [channelId], since: 0 };
  const only = { first: eventId, last: eventId };
  const [occurrence] = (await readPast(query, past, only, 1)).occurrences;
  const verdicts = await findVerdicts(query, guildId, channelId, eventId);
  const except = new Set(verdicts.map(({ ruleId }) => ruleId));
  return {
    eventId,
    channelId,
    occurrence,
    verdicts,
    note: await findNote(query, guildId, channelId, eventId),
    present: await answerNow(context, guildId, occurrence, except),
  };
}

async function findVerdicts(db: Queryable, guildId: string, channelId: string, eventId: number) {
  const rows = await db
    .selectFrom("castellan.rule_decisions")
    .selectAll()
    .where("event_id", "=", eventId)
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .orderBy("id")
    .execute();
  const byRule = new Map<string, ExplainedVerdict>();
  for (const row of rows) {
    const { rule_id: ruleId, rule_version: version, mode, decided_at_ms: evaluatedAt } = row;
    // Written by actOnVerdicts as JSON.
    const tree = JSON.parse(row.tree) as EvaluatedNode;
    const verdict = byRule.get(ruleId) ?? { ruleId, version, mode, evaluatedAt, tree, actions: [] };
    byRule.set(ruleId, verdict);
    const { action: sentence, outcome, why, case_id: caseId } = row;
    verdict.actions.push({ sentence, outcome, why, caseId });
  }
  return [...byRule.values()];
}

async function findNote(db: Queryable, guildId: string, channelId: string, eventId: number) {
  const row = await db
    .selectFrom("castellan.rule_evaluations")
    .select(["note", stillWaits.as("waits")])
    .where("event_id", "=", eventId)
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.waits) return "It is still waiting to be evaluated.";
  return row.note ?? "Its evaluation failed too often and was set aside. The log has the cause.";
}

async function answerNow(
  context: RehearsalContext,
  guildId: string,
  occurrence: Occurrence | undefined,
  except: ReadonlySet<string>,
): Promise<Explanation["present"]> {
  if (!occurrence) return { asked: false, why: "The event is no longer in the history." };
  const rules = await findRules(context, guildId);
  const lockdowns = await findLockdownRules(context, guildId);
  const byLockdowns = lockdowns && (await answerBy(context, guildId, occurrence, lockdowns.source, except));
  if (!rules || rules.unreadable) {
    const why = rules?.unreadable?.message ?? "The server has no rules.";
    return byLockdowns?.asked ? { version: 0, ...byLockdowns } : { asked: false, why };
  }
  const byFile = await answerBy(context, guildId, occurrence, rules.source, except);
  if (!byFile.asked) return byLockdowns?.asked ? { version: rules.version, ...byLockdowns } : byFile;
  const answers = [...(byLockdowns?.asked ? byLockdowns.answers : []), ...byFile.answers];
  return { version: rules.version, asked: true, answers };
}

/** The present results of one rule file. */
async function answerBy(
  context: RehearsalContext,
  guildId: string,
  occurrence: Occurrence,
  source: string,
  except: ReadonlySet<string>,
): Promise<Exclude<ExplainAnswer, { needs: unknown }>> {
  const { ruleThreads, botFid } = context;
  const known: Known = new Map();
  const task = { source, occurrence: packOccurrence(occurrence), botFid };
  const open = await ruleThreads.explain(guildId, { ...task, known: undefined });
  if ("needs" in open) {
    await addFacts(frozenFacts(context), [{ occurrence, needs: open.needs.map(readNeed) }], [known]);
  }
  const answer = await ruleThreads.explain(guildId, { ...task, known });
  if ("needs" in answer) return { asked: false, why: "The facts about it could not be read." };
  if (!answer.asked) return answer;
  return { asked: true, answers: answer.answers.filter(({ ruleId }) => !except.has(ruleId)) };
}
