import type { Queryable } from "../database/database.ts";
import { countChanges } from "../database/tables/count-changes.ts";
import { AppError } from "../errors.ts";
import { showNumber } from "../text/numbered.ts";
import type { ReviewItem } from "./review-items.ts";

/**
 * What one decision covers: an appeal, a report, or a rule's actions on one event with an item per channel of the server.
 * The first item represents them all.
 */
export interface Review {
  head: ReviewItem;
  /** Includes the head. */
  items: readonly ReviewItem[];
  /** How often they were decided and reopened so far. */
  changes: number;
}

export async function readWholeReview(db: Queryable, { id, head_id }: ReviewItem): Promise<Review> {
  const headId = head_id ?? id;
  const [review] = await readWholeReviews(db, [headId]);
  if (review) return review;
  throw new AppError("not_found", `Review ${showNumber("review", headId)} is gone.`);
}

/** The reviews with these heads. */
export async function readWholeReviews(db: Queryable, headIds: readonly number[]): Promise<Review[]> {
  if (headIds.length === 0) return [];
  const items = await db
    .selectFrom("castellan.review_items")
    .selectAll()
    .where((is) => is.or([is("id", "in", headIds), is("head_id", "in", headIds)]))
    .orderBy("id")
    .execute();
  const heads = items.filter(({ id }) => headIds.includes(id));
  return heads.map((head) => {
    const own = items.filter(({ id, head_id }) => id === head.id || head_id === head.id);
    return { head, items: own, changes: countChanges(own) };
  });
}

export function openItems({ items }: Review): ReviewItem[] {
  return items.filter(({ state }) => state === "open");
}
