import { sql } from "kysely";
import { createLease, isUnleased, noLease } from "../database/lease.ts";
import type { Case } from "./case.ts";
import type { ModerationContext } from "./context.ts";

/**
 * Takes the oldest requested case of this case's lane, in one statement; undefined when there is none or another
 * worker holds it.
 */
export async function leaseOldest(
  { database, clock }: ModerationContext,
  caseId: number,
): Promise<Case | undefined> {
  return database.query
    .updateTable("castellan.cases")
    .set({ ...createLease("castellan.cases", clock), attempts: sql<number>`attempts + 1` })
    .where("id", "=", (query) =>
      query
        .selectFrom("castellan.cases as oldest")
        .select("oldest.id")
        .where("oldest.state", "=", "requested")
        .where("oldest.lane", "=", (own) =>
          own.selectFrom("castellan.cases as own").select("own.lane").where("own.id", "=", caseId),
        )
        .orderBy("oldest.id")
        .limit(1)
        .forUpdate(),
    )
    .where("state", "=", "requested")
    .where(isUnleased(clock))
    .returningAll()
    .executeTakeFirst();
}

/**
 * Notes that the call goes out now, and what was seen before it, so that a crash after it is told from one before; false
 * when the lease is lost.
 */
export async function recordSending(
  { database, clock }: ModerationContext,
  subject: Case,
  seenBefore: string,
): Promise<boolean> {
  const { numUpdatedRows } = await database.query
    .updateTable("castellan.cases")
    .set({
      sent_at_ms: sql<number>`coalesce(sent_at_ms, ${clock.now()})`,
      seen_before: sql<string>`coalesce(seen_before, ${seenBefore})`,
    })
    .where("id", "=", subject.id)
    .where("lease_token", "=", subject.lease_token)
    .executeTakeFirst();
  return numUpdatedRows > 0;
}

/** Gives the case back, to be tried again after a pause. */
export async function postpone(
  { database, clock }: ModerationContext,
  subject: Case,
  pause: number,
  answer: string,
): Promise<void> {
  await database.query
    .updateTable("castellan.cases")
    .set({ ...noLease, retry_at_ms: clock.now() + pause, answer })
    .where("id", "=", subject.id)
    .where("lease_token", "=", subject.lease_token)
    .execute();
}

export function readCase({ database }: ModerationContext, caseId: number): Promise<Case> {
  return database.query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("id", "=", caseId)
    .executeTakeFirstOrThrow();
}
