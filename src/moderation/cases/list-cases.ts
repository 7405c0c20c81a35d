import { sql, type SelectQueryBuilder } from "kysely";
import type { Queryable } from "../../database/database.ts";
import type { Tables } from "../../database/tables/index.ts";
import { toCase, type Case, type CaseKind, type CaseState, type Scope } from "./case.ts";

/** Which cases of a channel: all that is given has to fit. */
export interface CaseFilter extends Scope {
  /** Only cases about this user: what was done to them, and to their casts. */
  subjectFid?: number | undefined;
  /** Only what this Discord user did, or asked for. */
  actorUser?: string | undefined;
  kind?: CaseKind | undefined;
  ruleId?: string | undefined;
  state?: CaseState | undefined;
  /** UNIX milliseconds, of when it was asked for or happened. */
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
  /** Each has to stand in the reason, the note or the cast. */
  words?: string | undefined;
}

/** A channel's cases, newest first. */
export async function listCases(
  query: Queryable,
  { before, limit, ...filter }: CaseFilter & { before?: number | undefined; limit: number },
): Promise<Case[]> {
  const rows = await fitting(query, filter)
    .selectAll()
    .$if(before !== undefined, (cases) => cases.where("number", "<", before ?? 0))
    .orderBy("number", "desc")
    .limit(limit)
    .execute();
  return rows.map(toCase);
}

/** How many fit, counted up to `most`. */
export async function countFitting(query: Queryable, filter: CaseFilter, most: number): Promise<number> {
  const some = fitting(query, filter).select("id").limit(most);
  const { count } = await query
    .selectFrom(some.as("some"))
    .select((cases) => cases.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

type Cases = SelectQueryBuilder<Tables, "castellan.cases", object>;

function fitting(query: Queryable, filter: CaseFilter): Cases {
  const { subjectFid, actorUser, kind, ruleId, state, sinceMs, untilMs, words } = filter;
  let cases: Cases = query
    .selectFrom("castellan.cases")
    .where("guild_id", "=", filter.guildId)
    .where("channel_id", "=", filter.channelId);
  if (subjectFid !== undefined) cases = cases.where("subject_fid", "=", subjectFid);
  if (actorUser !== undefined) cases = cases.where("actor_user", "=", actorUser);
  if (kind !== undefined) cases = cases.where("kind", "=", kind);
  if (ruleId !== undefined) cases = cases.where("rule_id", "=", ruleId);
  if (state !== undefined) cases = cases.where("state", "=", state);
  if (sinceMs !== undefined) cases = cases.where("requested_at_ms", ">=", sinceMs);
  if (untilMs !== undefined) cases = cases.where("requested_at_ms", "<", untilMs);
  if (words !== undefined)
    cases = cases.where(sql<boolean>`${searched} @@ plainto_tsquery('simple', ${words})`);
  return cases;
}

/** As the index cases_by_words has it (migration 0051). */
const searched = sql`to_tsvector('simple',
  coalesce(public_reason, '') || ' ' || coalesce(private_reason, '') || ' ' || coalesce(evidence, ''))`;

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
