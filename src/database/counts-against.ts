import { sql, type RawBuilder } from "kysely";

/**
 * Whether a case counts against the person that it is about: a ban, a hidden cast or a removal that took effect, and that
 * nobody undid. A ban whose time was up does. `cases` is the table's name in the statement.
 */
export function countsAgainst(cases: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${cases}.${name}`);
  return sql<boolean>`(${column("kind")} in ('ban', 'hide', 'remove_member')
    and (${column("state")} in ('applied', 'outside') or ${column("state")} = 'reverted' and ${column("has_expired")}))`;
}
