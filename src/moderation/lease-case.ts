import { sql } from "kysely";
import type { Case } from "./case.ts";
import type { ModerationContext } from "./context.ts";

/** Longer than any attempt takes; after it, another worker may go on. Milliseconds. */
const leaseTime = 60_000;

/**
 * Takes the oldest requested case of this case's lane, in one statement; undefined when there is none or another
 * worker holds it.
 */
export async function leaseOldest(
  { database, clock }: ModerationContext,
  caseId: number,
  token: string,
): Promise<Case | undefined> {
  const now = clock.now();
  return database.query
    .updateTable("castellan.cases")
    .set({
      leased_until_ms: now + leaseTime,
      lease_token: token,
      attempts: sql<number>`attempts + 1`,
    })
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
    .where((or) => or.or([or("leased_until_ms", "is", null), or("leased_until_ms", "<=", now)]))
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
  token: string,
  seenBefore: string,
): Promise<boolean> {
  const { numUpdatedRows } = await database.query
    .updateTable("castellan.cases")
    .set({
      sent_at_ms: sql<number>`coalesce(sent_at_ms, ${clock.now()})`,
      seen_before: sql<string>`coalesce(seen_before, ${seenBefore})`,
    })
    .where("id", "=", subject.id)
    .where("lease_token", "=", token)
    .executeTakeFirst();
  return numUpdatedRows > 0;
}

/** Gives the case back, to be tried again after a pause. */
export async function postpone(
  { database, clock }: ModerationContext,
  subject: Case,
  token: string,
  pause: number,
  answer: string,
): Promise<void> {
  await database.query
    .updateTable("castellan.cases")
    .set({ retry_at_ms: clock.now() + pause, leased_until_ms: null, lease_token: null, answer })
    .where("id", "=", subject.id)
    .where("lease_token", "=", token)
    .execute();
}

export function readCase({ database }: ModerationContext, caseId: number): Promise<Case> {
  return database.query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("id", "=", caseId)
    .executeTakeFirstOrThrow();
}
