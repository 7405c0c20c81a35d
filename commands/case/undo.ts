import { z } from "zod";
import type { Doer } from "../../src/bot-context.ts";
import { confirm } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { lockCases, planUndo } from "../../src/moderation/bulks/plan-undo.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { findCase, readCase, type Case } from "../../src/moderation/cases/case.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { escapeText } from "../../src/text/message-text.ts";
import { channelOption, chooseChannel, numberOption, reasonOption } from "../shared/options.ts";
import { describeCaseLine } from "../shared/describe-case.ts";
import { showDone } from "../shared/show-case.ts";
import { authorizeUndo, describeUndo, requireSteps } from "../shared/undo.ts";
import { textView } from "../../src/discord/view.ts";

export const undoCase = confirm({
  description: "Undo a case; first shows what comes back and what does not",
  needs: { any: ["invite", "hide", "pin", "ban"] },
  console: true,
  options: {
    number: numberOption("case", "The case's number, such as C-12"),
    reason: reasonOption("Why; shown in the new case"),
    channel: channelOption,
  },
  confirmLabel: "Undo",
  state: z.object({ caseId: z.int(), reason: z.string().optional() }),
  async preview(context, { number, reason, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const { guildId } = context.actor;
    const { query } = context.database;
    const subject = await findCase(query, { guildId, channelId, number });
    await authorizeUndo(context, channelId, subject ? [subject] : []);
    if (!subject)
      throw new AppError("invalid_input", `There is no case ${showNumber("case", number)} in /${channelId}.`);
    const plan = await planUndo(context, query, [subject]);
    requireSteps(plan, `case ${showNumber("case", number)}`);
    const lookups = await readCaseLookups(query, [subject]);
    const lines = [
      describeCaseLine(subject, lookups),
      ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
      "",
      ...(await describeUndo(context, plan)),
    ];
    const title = `Undo case ${showNumber("case", number)} in /${channelId}?`;
    return {
      view: textView("warning", lines, { title }),
      state: { caseId: subject.id, reason },
    };
  },
  async act(context, { caseId, reason }) {
    const subject = await readCase(context, caseId);
    const { by } = await authorizeUndo(context, subject.channelId, [subject]);
    const undoing = await proposeUndo(context, subject, by, reason);
    return showDone(context, await applyCase(context, undoing.id));
  },
});

/** Plans again with the case locked, because somebody may have undone it in the meantime. */
function proposeUndo(
  context: CommandContext,
  { id, guildId, channelId, number }: Case,
  actor: Doer,
  publicReason: string | undefined,
): Promise<Case> {
  return context.database.transaction(async (tx) => {
    const plan = await planUndo(context, tx, await lockCases(tx, [id]));
    requireSteps(plan, `case ${showNumber("case", number)}`);
    const [step] = plan.steps;
    if (!step) throw new Error("a plan without steps went through");
    return proposeCase(tx, context.clock, { ...step.action, guildId, channelId, actor, publicReason });
  });
}
