import type { Tx } from "../database/database.ts";

/** Deletes events with everything that depends on them; cases, and the reasons why rules made them, remain. */
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

/** A cast's content without embeds. */
const blankBody = { text: "", embeds: "[]", mentions: "[]", mentions_positions: "[]", quotes: "[]" };

/** Erases the content of casts; author, time and channel remain, because threads and cases need them. */
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
