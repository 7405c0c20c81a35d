import { sql, type Insertable, type RawBuilder } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import type { RuleDecisionTable } from "../../database/tables/rules.ts";

/** Stores verdicts, one row per action of the rule, each once; a final verdict replaces a postponed one. */
export async function saveVerdicts(tx: Tx, rows: readonly Insertable<RuleDecisionTable>[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto("castellan.rule_decisions")
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(["event_id", "guild_id", "channel_id", "rule_id", "action_index"])
        .doUpdateSet((set) => ({
          outcome: set.ref("excluded.outcome"),
          why: set.ref("excluded.why"),
          case_id: set.ref("excluded.case_id"),
          rule_version: set.ref("excluded.rule_version"),
          mode: set.ref("excluded.mode"),
          tree: set.ref("excluded.tree"),
          decided_at_ms: set.ref("excluded.decided_at_ms"),
        }))
        .where("castellan.rule_decisions.outcome", "=", "postponed"),
    )
    .execute();
}

/** A rule's postponed verdict on an event that is not retried for it; `token`: of the lease of the event's evaluation. */
export interface EndedVerdict {
  event: number;
  guild: string;
  channel: string;
  token: string;
  rule: string;
  /** Why it stays unknown; null if the rule turned out not to apply. */
  why: string | null;
}

/** For a statement that begins with `with`: postponed verdicts become unknown, or are deleted. */
export function endingOf(ended: readonly EndedVerdict[]): RawBuilder<unknown> {
  const isEnded = sql`verdict.event_id = ended.event and verdict.guild_id = ended.guild
    and verdict.channel_id = ended.channel and verdict.rule_id = ended.rule and verdict.outcome = 'postponed'`;
  return sql`
    ended as (
      select ended.* from json_to_recordset(${JSON.stringify(ended)}::text::json)
        as ended(event bigint, guild text, channel text, token text, rule text, why text)
      join castellan.rule_evaluations as due on due.event_id = ended.event and due.guild_id = ended.guild
        and due.channel_id = ended.channel and due.lease_token = ended.token
    ), unknown as (
      update castellan.rule_decisions as verdict set outcome = 'unknown', why = ended.why
      from ended where ${isEnded} and ended.why is not null
    ), not_applying as (
      delete from castellan.rule_decisions as verdict using ended where ${isEnded} and ended.why is null
    )`;
}

export async function endPostponed(tx: Tx, ended: readonly EndedVerdict[]): Promise<void> {
  if (ended.length > 0) await sql`with ${endingOf(ended)} select`.execute(tx);
}

/** How often each of a server's rules fired since a time (UNIX milliseconds). */
export async function countHits(
  db: Queryable,
  guildId: string,
  ruleIds: readonly string[],
  since: number,
): Promise<Map<string, number>> {
  if (ruleIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("castellan.rule_decisions")
    .select((query) => ["rule_id", query.fn.countAll<number>().as("hits")])
    .where("guild_id", "=", guildId)
    .where("rule_id", "in", [...ruleIds])
    .where("decided_at_ms", ">=", since)
    .where("action_index", "=", 0)
    .where("outcome", "not in", ["unknown", "postponed"])
    .groupBy("rule_id")
    .execute();
  return new Map(rows.map(({ rule_id, hits }) => [rule_id, hits]));
}

/** The latest verdicts of one rule, newest first. */
export function listVerdicts(db: Queryable, guildId: string, ruleId: string, limit: number) {
  return db
    .selectFrom("castellan.rule_decisions")
    .select(["channel_id", "outcome", "why", "action", "rule_version", "event_id", "decided_at_ms"])
    .where("guild_id", "=", guildId)
    .where("rule_id", "=", ruleId)
    .orderBy("decided_at_ms", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
