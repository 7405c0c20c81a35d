import type { Queryable } from "../../database/database.ts";
import { readNames } from "../../observe/people.ts";
import { isBanKind, type Case } from "./case.ts";
import { readStandingBans, type StandingBan } from "./standing-bans.ts";

/** What stands beside cases where people read them. */
export interface CaseLookups {
  /** Names by fid. */
  names: ReadonlyMap<number, string>;
  /** What casts say, by hash; erased ones and those that were never seen are left out. */
  texts: ReadonlyMap<string, string>;
  /** Bans that stand, by target. */
  bans: ReadonlyMap<string, StandingBan>;
}

export async function readCaseLookups(query: Queryable, cases: readonly Case[]): Promise<CaseLookups> {
  const fids = cases.flatMap(({ subjectFid, actorFid }) => [subjectFid ?? [], actorFid ?? []].flat());
  const hashes = cases.flatMap(({ targetCast }) => targetCast ?? []);
  const banned = cases.filter(({ kind }) => isBanKind(kind)).map(({ target }) => target);
  const [names, texts, bans] = await Promise.all([
    readNames(query, fids),
    readTexts(query, hashes),
    readStandingBans(query, banned),
  ]);
  return { names, texts, bans };
}

async function readTexts(query: Queryable, hashes: readonly string[]): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map();
  const rows = await query
    .selectFrom("castellan.casts")
    .select(["hash", "text"])
    .where("hash", "in", [...new Set(hashes)])
    .where("erased_at_ms", "is", null)
    .execute();
  return new Map(rows.map(({ hash, text }) => [hash, text]));
}
