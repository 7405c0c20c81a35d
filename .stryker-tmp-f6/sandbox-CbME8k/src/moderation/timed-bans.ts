// @ts-nocheck
import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";
import { inForce, type Case } from "./case.ts";

/** The ban that ends last among those in force on one user, if all of them are over and nobody sees to it yet. */
export function findEnding(cases: readonly Case[], now: number): Case | undefined {
  if (cases.some(({ kind, state }) => state === "requested" || (kind === "unban" && state === "failed"))) {
    return undefined;
  }
  const bans = cases.filter(({ kind, state }) => kind === "ban" && isInForce(state));
  // Asked again of what is locked: a stronger ban may have come since the lane was found.
  const over = bans.every((ban) => ban.due_at_ms !== null && ban.due_at_ms <= now);
  if (!over || bans.length === 0) return undefined;
  return bans.reduce((last, ban) => ((ban.due_at_ms ?? 0) >= (last.due_at_ms ?? 0) ? ban : last));
}

function isInForce(state: Case["state"]): boolean {
  return inForce.some((word) => word === state);
}

/** Read again just before a timed ban is lifted: why it must stay, if a stronger one came meanwhile. */
export async function findStrongerBan(context: BotContext, endedId: number): Promise<string | undefined> {
  const now = context.clock.now();
  const stronger = await context.database.query
    .selectFrom("castellan.cases as ban")
    .innerJoin("castellan.cases as ended", "ended.lane", "ban.lane")
    .select("ban.number")
    .where("ended.id", "=", endedId)
    .where("ban.kind", "=", "ban")
    .where("ban.state", "in", [...inForce, "requested"])
    .where((is) => is.or([is("ban.due_at_ms", "is", null), is("ban.due_at_ms", ">", now)]))
    .orderBy(sql`ban.due_at_ms desc nulls first`)
    .limit(1)
    .executeTakeFirst();
  return stronger && `Not lifted: case #${stronger.number} bans the user for longer.`;
}
