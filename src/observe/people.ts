import type { Queryable } from "../database/database.ts";
import { escapeText } from "../text/message-text.ts";

/** A user as people know them. */
export interface User {
  fid: number;
  /** Without @; undefined where no name was seen. */
  name: string | undefined;
}

/** The name that each user goes by: of all that they hold now, the one with the newest proof. Users without a name are left out. */
export async function readNames(query: Queryable, fids: readonly number[]): Promise<Map<number, string>> {
  if (fids.length === 0) return new Map();
  const rows = await query
    .selectFrom("castellan.names")
    .select(["fid", "name"])
    .distinctOn("fid")
    .where("fid", "in", [...new Set(fids)])
    .orderBy("fid")
    .orderBy("since", "desc")
    .orderBy("name")
    .execute();
  return new Map(rows.map(({ fid, name }) => [fid, name]));
}

/** A user in a message, by name and number: names change hands, numbers do not. */
export function describeUser({ fid, name }: User): string {
  return name === undefined ? `fid ${fid}` : `**@${escapeText(name, 64)}** (fid ${fid})`;
}
