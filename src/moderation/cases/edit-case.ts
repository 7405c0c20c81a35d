import type { Queryable, Tx } from "../../database/database.ts";
import type { CaseChangeTable } from "../../database/tables/bot.ts";
import type { Case } from "./case.ts";

/** The editor, and the time in UNIX milliseconds. */
interface Editor {
  userId: string;
  nowMs: number;
}

/** Changes a case's reason; the old one stays in its history. */
export async function changeReason(tx: Tx, subject: Case, reason: string, editor: Editor): Promise<void> {
  const before = await tx
    .selectFrom("castellan.cases")
    .select("public_reason")
    .where("id", "=", subject.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("castellan.cases")
    .set({ public_reason: reason })
    .where("id", "=", subject.id)
    .execute();
  await writeChange(tx, subject, "reason", `before: ${before.public_reason ?? "none"}`, editor);
}

export async function addComment(tx: Tx, subject: Case, text: string, editor: Editor): Promise<void> {
  await writeChange(tx, subject, "comment", text, editor);
}

async function writeChange(
  tx: Tx,
  { id }: Case,
  kind: CaseChangeTable["kind"],
  text: string,
  { userId, nowMs }: Editor,
): Promise<void> {
  await tx
    .insertInto("castellan.case_changes")
    .values({ case_id: id, kind, by_user: userId, at_ms: nowMs, text })
    .execute();
}

/** A case's changes and notes, newest first. */
export function listCaseChanges(query: Queryable, caseId: number, limit: number) {
  return query
    .selectFrom("castellan.case_changes")
    .selectAll()
    .where("case_id", "=", caseId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
