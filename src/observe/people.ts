import type { Queryable } from "../database/database.ts";
import { escapeText } from "../text/message-text.ts";

/** A user as people know them. */
export interface User {
  fid: number;
  /** Without @; undefined where no name was seen. */
  name: string | undefined;
}

/**
 * The name that each user goes by: of all names they hold now, the one they chose, or the one with the newest proof. Users
 * without a name are left out.
 */
export async function readNames(query: Queryable, fids: readonly number[]): Promise<Map<number, string>> {
  if (fids.length === 0) return new Map();
  const rows = await query
    .selectFrom("castellan.names as held")
    .leftJoin("castellan.shown_names as shown", (join) =>
      join.onRef("shown.fid", "=", "held.fid").onRef("shown.name", "=", "held.name"),
    )
    .select(["held.fid", "held.name"])
    .distinctOn("held.fid")
    .where("held.fid", "in", [...new Set(fids)])
    .orderBy("held.fid")
    .orderBy((is) => is("shown.fid", "is not", null), "desc")
    .orderBy("held.since", "desc")
    .orderBy("held.name")
    .execute();
  return new Map(rows.map(({ fid, name }) => [fid, name]));
}

/** These users with their names, in the same order. */
export async function withNames(query: Queryable, fids: readonly number[]): Promise<User[]> {
  const names = await readNames(query, fids);
  return fids.map((fid) => ({ fid, name: names.get(fid) }));
}

/** The authors of casts, and the users that the casts mention. */
export function peopleIn(casts: readonly { fid: number; mentions: readonly number[] }[]): number[] {
  return casts.flatMap(({ fid, mentions }) => [fid, ...mentions]);
}

/** A user in a message, by name and fid: names can change owner, fids cannot. */
export function describeUser({ fid, name }: User): string {
  return name === undefined ? `fid ${fid}` : `**@${escapeText(name, 64)}** (fid ${fid})`;
}

/** The same for a choice or a button, which has no formatting and little space: "@mo". */
export function nameUser({ fid, name }: User): string {
  return name === undefined ? `fid ${fid}` : `@${name}`;
}

/** "@mo (fid 7)", without formatting. */
export function nameWithFid({ fid, name }: User): string {
  return name === undefined ? `fid ${fid}` : `@${name} (fid ${fid})`;
}
