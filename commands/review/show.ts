import { answer } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { readReviews } from "../../src/feed/render/held-reviews.ts";
import { describeReview, reviewButtons } from "../../src/feed/render/review.ts";
import { notAllowed } from "../../src/moderation/authorize.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { readMatter } from "../../src/rules/review/matter.ts";
import { suggestReviews } from "../shared/suggest-numbers.ts";
import { requireItem } from "../../src/rules/review/review-items.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { numberOption } from "../shared/number-option.ts";

export const showReview = answer({
  description: "One held item, with its buttons",
  options: {
    number: numberOption("review", "Its number, such as R-3", suggestReviews),
  },
  async run(context, { number }) {
    const { query } = context.database;
    const item = await requireItem(query, context.actor.guildId, number);
    const held = await authorizeIn(context, context.actor, "view");
    const { items } = await readMatter(query, item);
    if (!items.some(({ channel_id: id }) => held.includes(id))) throw notAllowed(item.channel_id, "view");
    return showItem(context, number, true);
  },
});

/** What is held as everybody sees it now, with the buttons that are left. */
export async function showItem(
  { database, clock }: CommandContext,
  itemId: number,
  named = false,
): Promise<View> {
  const item = (await readReviews(database.query, [itemId], clock.now())).get(itemId);
  if (!item) throw new AppError("not_found", `Review ${showNumber("review", itemId)} is gone.`);
  return { embeds: [describeReview(item, named)], buttons: reviewButtons(item) };
}
