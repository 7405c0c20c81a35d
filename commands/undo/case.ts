import { z } from "zod";
import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { lockCases, planUndo } from "../../src/moderation/bulks/plan-undo.ts";
import type { Doer } from "../../src/bot-context.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { findCase, readCase, type Case } from "../../src/moderation/cases/case.ts";
import { readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { escapeText } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { describeCaseLine } from "../shared/describe-case.ts";
import { showDone } from "../shared/show-case.ts";
import { authorizeUndo, describeUndo, requireSteps, type Asked } from "./describe-undo.ts";

export const CaseState = z.object({
  kind: z.literal("case"),
  caseId: z.int(),
  reason: z.string().optional(),
});
type CaseState = z.infer<typeof CaseState>;

export async function previewCase(
  context: CommandContext,
  number: number,
  { channelId, reason }: Asked,
): Promise<Preview<CaseState>> {
  const { guildId } = context.actor;
  const { query } = context.database;
  const subject = await findCase(query, { guildId, channelId, number });
  await authorizeUndo(context, channelId, subject ? [subject] : []);
  if (!subject)
    throw new AppError("not_found", `There is no case ${showNumber("case", number)} in /${channelId}.`);
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
    state: { kind: "case", caseId: subject.id, reason },
  };
}

export async function undoCase(context: CommandContext, { caseId, reason }: CaseState): Promise<View> {
  const subject = await readCase(context, caseId);
  const { by } = await authorizeUndo(context, subject.channelId, [subject]);
  const undoing = await proposeUndo(context, subject, by, reason);
  return showDone(context, await applyCase(context, undoing.id));
}

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
