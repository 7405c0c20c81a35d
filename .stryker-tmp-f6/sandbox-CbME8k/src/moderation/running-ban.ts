// @ts-nocheck
import { sql, type Insertable } from "kysely";
import type { Clock } from "../clock.ts";
import type { Tx } from "../database/database.ts";
import type { CaseTable } from "../database/tables/bot.ts";
import { inForce } from "./case.ts";

/**
 * The number of a ban that the same rule asked for before, of the same length or longer, and that is not over, nor about
 * to be lifted.
 */
export async function findRunningBan(
  tx: Tx,
  clock: Clock,
  wanted: Omit<Insertable<CaseTable>, "number">,
): Promise<number | undefined> {
  const { guild_id, lane, rule_id = null, requested_at_ms, due_at_ms } = wanted;
  const length = due_at_ms == null ? null : due_at_ms - requested_at_ms;
  const running = await tx
    .selectFrom("castellan.cases")
    .select("number")
    .where("guild_id", "=", guild_id)
    .where("lane", "=", lane)
    .where("kind", "=", "ban")
    .where("rule_id", "=", rule_id)
    .where("state", "in", ["requested", ...inForce])
    .where((is) =>
      is.or([
        is("due_at_ms", "is", null),
        is.and([
          is("due_at_ms", ">", clock.now()),
          sql<boolean>`due_at_ms - requested_at_ms >= ${length}::bigint`,
        ]),
      ]),
    )
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom("castellan.cases as unban")
            .select("unban.id")
            .where("unban.lane", "=", lane)
            .where("unban.kind", "=", "unban")
            .where("unban.state", "=", "requested"),
        ),
      ),
    )
    .orderBy("id", "desc")
    .executeTakeFirst();
  return running?.number;
}
