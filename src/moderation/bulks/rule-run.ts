import { sql, type RawBuilder } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import { toCase, type Case } from "../cases/case.ts";

/** A rule's automatic actions in a server's channel, in a period. */
interface RuleRun {
  guildId: string;
  channelId: string;
  ruleId: string;
  /** UNIX milliseconds, the first and the last that count. */
  sinceMs: number;
  untilMs: number;
}

/** The cases that a rule opened automatically, oldest first; actions approved by a person are that person's. */
export async function listCasesOfRule(query: Queryable, run: RuleRun, limit: number): Promise<Case[]> {
  const rows = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", run.guildId)
    .where("channel_id", "=", run.channelId)
    .where("rule_id", "=", run.ruleId)
    .where("actor_kind", "=", "rule")
    // A ban's expiry is not an action of the rule.
    .where("ends_case_id", "is", null)
    .where("requested_at_ms", ">=", run.sinceMs)
    .where("requested_at_ms", "<=", run.untilMs)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(toCase);
}

/** Its other actions, which are not on the network. */
export interface ActionCounts {
  strikes: number;
  notes: number;
}

/** Those of its own actions that still count. */
export async function countOwnActions(query: Queryable, run: RuleRun): Promise<ActionCounts> {
  const { rows } = await sql<ActionCounts>`
    select (select count(*) from castellan.strikes as given where given_at_ms between ${run.sinceMs} and ${run.untilMs} and ${isOwn(run)})::integer
        as strikes,
      (select count(*) from castellan.user_notes as given where written_at_ms between ${run.sinceMs} and ${run.untilMs} and ${isOwn(run)})::integer
        as notes
  `.execute(query);
  return rows[0] ?? { strikes: 0, notes: 0 };
}

/** Cancels its strikes and notes; returns how many. */
export async function undoOwnActions(
  tx: Tx,
  run: RuleRun,
  by: { userId: string; nowMs: number },
): Promise<ActionCounts> {
  const removed = sql`set removed_by = ${by.userId}, removed_at_ms = ${by.nowMs}`;
  const strikes = await sql`update castellan.strikes as given ${removed}
    where given_at_ms between ${run.sinceMs} and ${run.untilMs} and ${isOwn(run)}`.execute(tx);
  const notes = await sql`update castellan.user_notes as given ${removed}
    where written_at_ms between ${run.sinceMs} and ${run.untilMs} and ${isOwn(run)}`.execute(tx);
  return { strikes: Number(strikes.numAffectedRows ?? 0), notes: Number(notes.numAffectedRows ?? 0) };
}

/** The rule added it automatically: an approved review is the approver's action. */
function isOwn({ guildId, channelId, ruleId }: RuleRun): RawBuilder<boolean> {
  return sql<boolean>`guild_id = ${guildId} and channel_id = ${channelId} and rule_id = ${ruleId}
    and removed_at_ms is null and exists (select from castellan.rule_decisions as decision
      where decision.event_id = given.event_id and decision.guild_id = given.guild_id
        and decision.channel_id = given.channel_id and decision.rule_id = given.rule_id
        and decision.action_index = given.action_index and given.review_round = 0 and decision.outcome = 'acted')`;
}

/** How many open reviews it has, which undoing leaves. */
export async function countHeld(query: Queryable, run: RuleRun): Promise<number> {
  const { reviews } = await query
    .selectFrom("castellan.review_items")
    .select((items) => items.fn.countAll<number>().as("reviews"))
    .where("guild_id", "=", run.guildId)
    .where("channel_id", "=", run.channelId)
    .where("rule_id", "=", run.ruleId)
    .where("queued_at_ms", ">=", run.sinceMs)
    .where("state", "=", "open")
    .executeTakeFirstOrThrow();
  return reviews;
}
