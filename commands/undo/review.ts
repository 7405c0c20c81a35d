import { z } from "zod";
import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { requireItem } from "../../src/reviews/review-items.ts";
import { showEverywhere } from "../review/button.ts";
import { requireUndoable, undoDecision } from "../review/decide-review.ts";
import { showItem } from "../review/show.ts";

export const ReviewState = z.object({
  kind: z.literal("review"),
  itemId: z.int(),
  /** Of the review as the preview showed it; prompts of earlier versions have none. */
  changes: z.int().optional(),
});
type ReviewState = z.infer<typeof ReviewState>;

export async function previewReview(context: CommandContext, number: number): Promise<Preview<ReviewState>> {
  const item = await requireItem(context.database.query, context.actor.guildId, number);
  const { head, changes } = await requireUndoable(context, item);
  const { embeds = [] } = await showItem(context, head.id, true, [
    "",
    "↩️ This undoes the decision's actions on the network, removes its strikes and notes, and opens the review again.",
  ]);
  return { view: { embeds }, state: { kind: "review", itemId: item.id, changes } };
}

export async function undoReview(context: CommandContext, { itemId, changes }: ReviewState): Promise<View> {
  const item = await requireItem(context.database.query, context.actor.guildId, itemId);
  return showEverywhere(context, item, await undoDecision(context, item, changes));
}
