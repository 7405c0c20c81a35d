import { sql, type RawBuilder } from "kysely";
import type { CaseKind } from "./tables/bot.ts";
import { literals } from "./tables/case-states.ts";

/** The kinds of cases that count against their target. */
const kinds = ["ban", "hide", "remove_member"] as const satisfies CaseKind[];
export type CountsAgainst = (typeof kinds)[number];

/**
 * Whether a case counts against its target: a ban, hidden cast or removal that took effect and was not undone. An
 * expired ban counts. `cases` is the table's name in the statement.
 */
export function countsAgainst(cases: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${cases}.${name}`);
  return sql<boolean>`(${column("kind")} in (${literals(kinds)})
    and (${column("state")} in ('applied', 'outside') or ${column("state")} = 'reverted' and ${column("has_expired")}))`;
}
