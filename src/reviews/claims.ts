import { sql } from "kysely";
import type { Queryable, Tx } from "../database/database.ts";
import { claimLasts } from "../limits/claim-lasts.ts";

interface Claim {
  /** Discord user id. */
  claimed_by: string | null;
  claimed_at_ms: number | null;
}

/** The user whose claim is in force (`now` in UNIX milliseconds). */
export function claimantOf({ claimed_by, claimed_at_ms }: Claim, now: number): string | undefined {
  return claimed_by !== null && (claimed_at_ms ?? 0) > now - claimLasts ? claimed_by : undefined;
}

const isOpen = (headId: number) => sql<boolean>`exists (
  select from castellan.review_items as part where (part.id = ${headId} or part.head_id = ${headId}) and part.state = 'open')`;

/** Reserves a review for one person for an hour; false if somebody else has claimed it, or no item of it is open. */
export async function claimReview(
  db: Queryable,
  headId: number,
  userId: string,
  now: number,
): Promise<boolean> {
  const claimed = await db
    .updateTable("castellan.review_items")
    .set({ claimed_by: userId, claimed_at_ms: now })
    .where("id", "=", headId)
    .where(isOpen(headId))
    .where((is) =>
      is.or([
        is("claimed_by", "is", null),
        is("claimed_by", "=", userId),
        is("claimed_at_ms", "<=", now - claimLasts),
      ]),
    )
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n;
}

/** Ends a claim of this person; false if it is no longer theirs. */
export async function releaseReview(db: Queryable, headId: number, userId: string): Promise<boolean> {
  const released = await db
    .updateTable("castellan.review_items")
    .set({ claimed_by: null, claimed_at_ms: null })
    .where("id", "=", headId)
    .where("claimed_by", "=", userId)
    .executeTakeFirst();
  return released.numUpdatedRows > 0n;
}

/** Leaves an open review to the owner, and ends its claim; false if that was already done, or no item of it is open. */
export async function escalateReview(tx: Tx, headId: number, userId: string, now: number): Promise<boolean> {
  const escalated = await tx
    .updateTable("castellan.review_items")
    .set({ escalated_by: userId, escalated_at_ms: now, claimed_by: null, claimed_at_ms: null })
    .where("id", "=", headId)
    .where("escalated_by", "is", null)
    .where(isOpen(headId))
    .executeTakeFirst();
  return escalated.numUpdatedRows > 0n;
}
