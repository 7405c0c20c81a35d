import { sql } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { banKinds, targetKey, toCase, type Case } from "./case.ts";
import { lockCaseNumbers } from "./case-numbers.ts";
import { inForce, literals } from "../../database/tables/case-states.ts";

/*
 * The expiry of bans. Commands, posts and the worker that lifts bans all use the view `castellan.standing_bans`, so that
 * they agree. It covers all servers of a channel, because the network has only one ban.
 */

/** A ban in force, as far as Castellan knows. */
export interface StandingBan {
  /** UNIX milliseconds; null if permanent: Castellan will not lift it. */
  untilMs: number | null;
  /** The case that determines the expiry, possibly another server's. */
  by: Case;
  /** The public reason: that case's, or the original ban's if the case only changed the expiry. */
  reason: string | null;
}

/** For one target, as returned by `targetKey`. */
export async function readStandingBan(query: Queryable, target: string): Promise<StandingBan | undefined> {
  return (await readStandingBans(query, [target])).get(target);
}

/** The bans in force on these users in a channel, by fid. */
export async function findStandingBans(
  query: Queryable,
  channelId: string,
  fids: readonly number[],
): Promise<Map<number, StandingBan>> {
  const targets = fids.map((targetFid) => targetKey({ channelId, kind: "ban", targetFid }));
  const bans = await readStandingBans(query, targets);
  return new Map(
    fids.flatMap((fid, index) => {
      const ban = bans.get(targets[index] ?? "");
      return ban ? [[fid, ban] as const] : [];
    }),
  );
}

/** For several targets. */
export async function readStandingBans(
  query: Queryable,
  targets: readonly string[],
): Promise<Map<string, StandingBan>> {
  if (targets.length === 0) return new Map();
  const rows = await query
    .selectFrom("castellan.standing_bans as standing")
    .innerJoin("castellan.cases as by", "by.id", "standing.case_id")
    .selectAll("by")
    .select(["standing.until_ms", reasonOf])
    .where("standing.target_key", "in", targets)
    .execute();
  return new Map(
    rows.map(({ until_ms: untilMs, reason, ...by }) => [by.target_key, { untilMs, by: toCase(by), reason }]),
  );
}

const reasonOf = sql<string | null>`coalesce(by.public_reason, (
  select ban.public_reason from castellan.cases as ban
  where ban.target_key = by.target_key and ban.kind = 'ban' and ban.state in (${literals(inForce)})
    and ban.guild_id = by.guild_id and ban.id <= by.id
  order by ban.id desc limit 1))`.as("reason");

/**
 * Makes sure that a ban that still is in force ends when the question said, in UNIX milliseconds (null is permanent), and that
 * nobody is changing that. Throws `expired`: somebody who changes the end has to know it. Locks the server's case numbers.
 */
export async function requireSameEnd(
  tx: Tx,
  { guildId, target }: Pick<Case, "guildId" | "target">,
  shown: number | null,
): Promise<void> {
  await lockCaseNumbers(tx, guildId);
  const standing = await readStandingBan(tx, target);
  const requested = await tx
    .selectFrom("castellan.cases")
    .select("id")
    .where("target_key", "=", target)
    .where("kind", "in", banKinds)
    .where("state", "=", "requested")
    .limit(1)
    .executeTakeFirst();
  if (!requested && (!standing || standing.untilMs === shown)) return;
  throw new AppError(
    "expired",
    "Somebody else has changed when this ban ends, so nothing was done. Run the command again to see it.",
  );
}
