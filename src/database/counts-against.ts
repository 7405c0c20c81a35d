import { sql, type RawBuilder } from "kysely";

/**
 * Whether a case counts against its target: a ban, hidden cast or removal that took effect and was not undone. An
 * expired ban counts. `cases` is the table's name in the statement.
 */
export function countsAgainst(cases: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${cases}.${name}`);
  return sql<boolean>`(${column("kind")} in ('ban', 'hide', 'remove_member')
    and (${column("state")} in ('applied', 'outside') or ${column("state")} = 'reverted' and ${column("has_expired")}))`;
}
