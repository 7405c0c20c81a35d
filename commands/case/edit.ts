import { answer, text } from "../../src/discord/command.ts";
import { addComment, changeReason } from "../../src/moderation/cases/edit-case.ts";
import { suggestCases } from "../shared/suggest-numbers.ts";
import { channelOption, numberOption } from "../shared/options.ts";
import { chooseChannelOfCase, requireEditable } from "./require-case.ts";
import { showWithChanges } from "./show-with-changes.ts";
import { readCase } from "../../src/moderation/cases/case.ts";
import { suggestReasons } from "../shared/suggestions.ts";

export const commentOnCase = answer({
  description: "Add a comment to a case for the other moderators",
  needs: { any: ["ban", "hide", "pin", "invite"] },
  console: true,
  options: {
    number: numberOption("case", "The case's number, such as C-12", suggestCases),
    text: text({ description: "What they should know", required: true }),
    channel: channelOption,
  },
  async run(context, { number, text: comment, channel: given }) {
    const channelId = await chooseChannelOfCase(context, given, number);
    const subject = await requireEditable(context, channelId, number);
    const editor = { userId: context.actor.userId, nowMs: context.clock.now() };
    await context.database.transaction((tx) => addComment(tx, subject, comment, editor));
    return showWithChanges(context, subject);
  },
});

export const reasonOfCase = answer({
  description: "Change a case's reason; the previous one stays visible",
  needs: { any: ["ban", "hide", "pin", "invite"] },
  console: true,
  options: {
    number: numberOption("case", "The case's number, such as C-12", suggestCases),
    reason: text({ description: "Why it was done", required: true, suggest: suggestReasons }),
    channel: channelOption,
  },
  async run(context, { number, reason, channel: given }) {
    const channelId = await chooseChannelOfCase(context, given, number);
    const subject = await requireEditable(context, channelId, number);
    const editor = { userId: context.actor.userId, nowMs: context.clock.now() };
    await context.database.transaction((tx) => changeReason(tx, subject, reason, editor));
    return showWithChanges(context, await readCase(context, subject.id));
  },
});
