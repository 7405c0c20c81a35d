import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { describeReview, reviewButtons } from "../../src/feed/render/review.ts";
import { readReviews } from "../../src/feed/render/lookups.ts";

/** What is held as everybody sees it now, with the buttons that are left. */
export async function showItem({ database, clock }: CommandContext, itemId: number): Promise<View> {
  const item = (await readReviews(database.query, [itemId], clock.now())).get(itemId);
  if (!item) throw new AppError("not_found", `Review #${itemId} is gone.`);
  return { embeds: [describeReview(item)], buttons: reviewButtons(item) };
}
