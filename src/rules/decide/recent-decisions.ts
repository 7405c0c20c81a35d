import type { Queryable } from "../../database/database.ts";

/** How often each rule of a server fired since a time (UNIX milliseconds). */
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
    .where("outcome", "<>", "unknown")
    .groupBy("rule_id")
    .execute();
  return new Map(rows.map(({ rule_id, hits }) => [rule_id, hits]));
}

/** The latest decisions of one rule, newest first. */
export function listDecisions(db: Queryable, guildId: string, ruleId: string, limit: number) {
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
