import { sql } from "kysely";
import type { Queryable } from "../../database/database.ts";
import { targetKey, toCase, type Case } from "./case.ts";

/*
 * Until when a ban holds. Commands, rooms and what lifts bans in time all go by the view `castellan.standing_bans`, so that
 * nothing is promised that will not come. It knows all servers of a channel: on the network there is one ban.
 */

/** A ban that stands, as far as Castellan knows. */
export interface StandingBan {
  /** UNIX milliseconds; null for good: nothing of ours will lift it. */
  untilMs: number | null;
  /** By which it stands for so long. It may be another server's. */
  by: Case;
  /** Why, for all to read: of that case, or where that only gave another end, of the ban itself. */
  reason: string | null;
}

/** Of one target, as `targetKey` gives it. */
export async function readStandingBan(query: Queryable, target: string): Promise<StandingBan | undefined> {
  return (await readStandingBans(query, [target])).get(target);
}

/** The bans of these users in a channel that stand, by fid. */
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

/** Of several targets. */
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
  where ban.target_key = by.target_key and ban.kind = 'ban' and ban.state in ('applied', 'already', 'outside')
    and ban.guild_id = by.guild_id and ban.id <= by.id
  order by ban.id desc limit 1))`.as("reason");
