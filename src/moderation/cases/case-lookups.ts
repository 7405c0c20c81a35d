import type { Queryable } from "../../database/database.ts";
import { readBodies } from "../../observe/cast-body.ts";
import { readNames } from "../../observe/people.ts";
import type { CastBody } from "../../text/show-cast.ts";
import { isBanKind, toCase, type Case } from "./case.ts";
import { readStandingBans, type StandingBan } from "./standing-bans.ts";

/** Facts shown with cases. */
export interface CaseLookups {
  /** Names by fid. */
  names: ReadonlyMap<number, string>;
  /** The content of casts by hash, without casts that are erased or were never seen. */
  casts: ReadonlyMap<string, CastBody>;
  /** Bans in force, by target. */
  bans: ReadonlyMap<string, StandingBan>;
}

/** The case of the same server that ended a case, and the cases that it ended. */
export interface CaseEndings {
  by: Case | undefined;
  ended: Case[];
}

export async function readCaseEndings(
  query: Queryable,
  { id, guildId, revertedByCaseId }: Case,
): Promise<CaseEndings> {
  const rows = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where((is) => is.or([is("reverted_by_case_id", "=", id), is("id", "=", revertedByCaseId)]))
    .orderBy("id")
    .limit(20)
    .execute();
  const cases = rows.map(toCase);
  return {
    by: cases.find((one) => one.id === revertedByCaseId),
    ended: cases.filter((one) => one.revertedByCaseId === id),
  };
}

export async function readCaseLookups(query: Queryable, cases: readonly Case[]): Promise<CaseLookups> {
  const fids = cases.flatMap(({ subjectFid, actorFid }) => [subjectFid ?? [], actorFid ?? []].flat());
  const hashes = cases.flatMap(({ targetCast }) => targetCast ?? []);
  const banned = cases.filter(({ kind }) => isBanKind(kind)).map(({ target }) => target);
  const [casts, bans] = await Promise.all([readBodies(query, hashes), readStandingBans(query, banned)]);
  const mentioned = [
    ...[...casts.values()].flatMap(({ mentions }) => mentions),
    ...cases.flatMap(({ evidenceExtras }) => evidenceExtras?.mentions ?? []),
  ];
  return { names: await readNames(query, [...fids, ...mentioned]), casts, bans };
}
