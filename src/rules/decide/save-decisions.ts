import type { Insertable } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { RuleDecisionTable } from "../../database/tables/rules.ts";

/** Writes decisions once; one that was put off is replaced by what came of it. */
export async function saveDecisions(
  tx: Tx,
  decisions: readonly Insertable<RuleDecisionTable>[],
): Promise<void> {
  if (decisions.length === 0) return;
  await tx
    .insertInto("castellan.rule_decisions")
    .values([...decisions])
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
        .where("castellan.rule_decisions.outcome", "=", "asked_again"),
    )
    .execute();
}
