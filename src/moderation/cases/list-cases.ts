import type { Queryable } from "../../database/database.ts";
import { toCase, type Case, type CaseKind, type Scope } from "./case.ts";

interface CaseFilter extends Scope {
  /** Only cases about this user: what was done to them, and to their casts. */
  subjectFid?: number | undefined;
  /** Only cases with a smaller number. */
  before?: number | undefined;
  limit: number;
}

/** A channel's cases, newest first. */
export async function listCases(
  query: Queryable,
  { guildId, channelId, subjectFid, before, limit }: CaseFilter,
): Promise<Case[]> {
  const rows = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .$if(subjectFid !== undefined, (cases) => cases.where("subject_fid", "=", subjectFid ?? 0))
    .$if(before !== undefined, (cases) => cases.where("number", "<", before ?? 0))
    .orderBy("number", "desc")
    .limit(limit)
    .execute();
  return rows.map(toCase);
}

/** How many cases of each kind are about a user; those that failed or have changed nothing are left out. */
export function countCases(
  query: Queryable,
  { guildId, channelId }: Scope,
  fid: number,
): Promise<{ kind: CaseKind; count: number }[]> {
  return query
    .selectFrom("castellan.cases")
    .select((cases) => ["kind", cases.fn.countAll<number>().as("count")])
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("subject_fid", "=", fid)
    .where("state", "in", ["applied", "outside", "reverted"])
    .groupBy("kind")
    .orderBy("count", "desc")
    .execute();
}
