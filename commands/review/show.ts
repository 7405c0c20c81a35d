import { answer } from "../../src/discord/command.ts";
import { integer } from "../../src/discord/option.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { requireItem } from "../../src/rules/review/review-items.ts";
import { showItem } from "./show-item.ts";

export const showReview = answer({
  description: "One thing that a rule holds, with its buttons",
  options: {
    number: integer({ description: "Its number", required: true, min: 1, max: Number.MAX_SAFE_INTEGER }),
  },
  async run(context, { number }) {
    const item = await requireItem(context.database.query, context.actor.guildId, number);
    await authorize(context, context.actor, item.channel_id, "view");
    return showItem(context, number);
  },
});
