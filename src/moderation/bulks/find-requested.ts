import type { Queryable } from "../../database/database.ts";
import { opposite, targetKey, type CaseKind, type Target } from "../cases/case.ts";

/** Whether the newest action of this kind or its opposite on each target is of this kind, and still under way. */
export async function findRequested(
  query: Queryable,
  kind: CaseKind,
  targets: readonly Omit<Target, "kind">[],
): Promise<boolean[]> {
  if (targets.length === 0) return [];
  const keys = targets.map((target) => targetKey({ ...target, kind }));
  const rows = await query
    .selectFrom("castellan.cases")
    .distinctOn("target_key")
    .select(["target_key", "kind", "state"])
    .where("target_key", "in", keys)
    .where("kind", "in", [kind, opposite[kind]])
    .orderBy("target_key")
    .orderBy("id", "desc")
    .execute();
  const requested = new Set(
    rows.flatMap((row) => (row.kind === kind && row.state === "requested" ? [row.target_key] : [])),
  );
  return keys.map((key) => requested.has(key));
}
