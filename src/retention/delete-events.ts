import type { Tx } from "../database/database.ts";

/** Deletes events with everything that is of no use without them; cases, and why a rule made them, stay. */
export async function deleteEvents(tx: Tx, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const doomed = [...ids];
  await tx.deleteFrom("castellan.feed_rows").where("event_id", "in", doomed).execute();
  await tx.deleteFrom("castellan.rule_evaluations").where("event_id", "in", doomed).execute();
  await tx
    .deleteFrom("castellan.rule_decisions")
    .where("event_id", "in", doomed)
    .where("case_id", "is", null)
    .execute();
  const { numDeletedRows } = await tx
    .deleteFrom("castellan.events")
    .where("id", "in", doomed)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** A cast that shows nothing. */
const blankBody = { text: "", embeds: "[]", mentions: "[]", mentions_positions: "[]", quotes: "[]" };

/** Blanks what casts say; who wrote them, when and where stays, for threads and cases need it. */
export async function blankCasts(tx: Tx, hashes: readonly string[], now: number): Promise<number> {
  if (hashes.length === 0) return 0;
  const { numUpdatedRows } = await tx
    .updateTable("castellan.casts")
    .set({ ...blankBody, erased_at_ms: now })
    .where("hash", "in", [...hashes])
    .where("erased_at_ms", "is", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
