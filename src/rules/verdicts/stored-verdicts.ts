import { sql, type Insertable } from "kysely";
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

/**
 * Ends the postponed verdicts on an event, except those of the rules that have a verdict now: the other rules turned out
 * not to apply, or stay unknown, with a reason.
 */
export async function endPostponed(
  tx: Tx,
  { eventId, guildId, channelId }: { eventId: number; guildId: string; channelId: string },
  exceptRules: readonly string[],
  unknownWhy: string | null,
): Promise<void> {
  const ended = sql`event_id = ${eventId} and guild_id = ${guildId} and channel_id = ${channelId}
    and outcome = 'postponed' and rule_id <> all(${[...exceptRules]}::text[])`;
  await (
    unknownWhy === null
      ? sql`delete from castellan.rule_decisions where ${ended}`
      : sql`update castellan.rule_decisions set outcome = 'unknown', why = ${unknownWhy} where ${ended}`
  ).execute(tx);
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
