import { answer, text } from "../../src/discord/command.ts";
import { addComment } from "../../src/moderation/cases/edit-case.ts";
import { suggestCases } from "../shared/suggest-numbers.ts";
import { channelOption, chooseChannel, numberOption } from "../shared/options.ts";
import { requireEditable } from "./require-case.ts";
import { showWithChanges } from "./show-with-changes.ts";

export const commentOnCase = answer({
  description: "Write something beside a case, for the other moderators",
  needs: { any: ["ban", "hide", "pin", "invite"] },
  console: true,
  options: {
    number: numberOption("case", "The case's number, such as C-12", suggestCases),
    text: text({ description: "What they should know", required: true }),
    channel: channelOption,
  },
  async run(context, { number, text: comment, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const subject = await requireEditable(context, channelId, number);
    const editor = { userId: context.actor.userId, nowMs: context.clock.now() };
    await context.database.transaction((tx) => addComment(tx, subject, comment, editor));
    return showWithChanges(context, subject);
  },
});
