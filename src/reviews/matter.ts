import type { Queryable } from "../database/database.ts";
import { AppError } from "../errors.ts";
import { showNumber } from "../text/numbered.ts";
import type { ReviewItem } from "./review-items.ts";

/** What one rule holds of one event: an item for each channel of the server, and the first stands for all. */
export interface Matter {
  head: ReviewItem;
  /** The head among them. */
  items: readonly ReviewItem[];
}

export async function readMatter(db: Queryable, { id, head_id }: ReviewItem): Promise<Matter> {
  const headId = head_id ?? id;
  const items = await db
    .selectFrom("castellan.review_items")
    .selectAll()
    .where((is) => is.or([is("id", "=", headId), is("head_id", "=", headId)]))
    .orderBy("id")
    .execute();
  const [head] = items;
  if (head) return { head, items };
  throw new AppError("not_found", `Review ${showNumber("review", headId)} is gone.`);
}

export function openItems({ items }: Matter): ReviewItem[] {
  return items.filter(({ state }) => state === "open");
}
