import type { Queryable } from "../../database/database.ts";
import { opposite, targetKey, type Target } from "../cases/case.ts";

/** Leaves out each action that is under way already: the newest of its kind or the opposite on its target is requested. */
export async function withoutRequested<Action extends Target>(
  query: Queryable,
  actions: readonly Action[],
): Promise<Action[]> {
  if (actions.length === 0) return [];
  const kinds = new Set(actions.flatMap(({ kind }) => [kind, opposite[kind]]));
  const rows = await query
    .selectFrom("castellan.cases")
    .distinctOn("target_key")
    .select(["target_key", "kind", "state"])
    .where("target_key", "in", [...new Set(actions.map(targetKey))])
    .where("kind", "in", [...kinds])
    .orderBy("target_key")
    .orderBy("id", "desc")
    .execute();
  const requested = new Map(
    rows.flatMap((row) => (row.state === "requested" ? [[row.target_key, row.kind] as const] : [])),
  );
  return actions.filter((action) => requested.get(targetKey(action)) !== action.kind);
}
