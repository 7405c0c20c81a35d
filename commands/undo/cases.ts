import { z } from "zod";
import type { Doer } from "../../src/bot-context.ts";
import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { lockCases, planUndo } from "../../src/moderation/bulks/plan-undo.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { listNumbered, readCase, readCases, type Case } from "../../src/moderation/cases/case.ts";
import { readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { amount } from "../../src/text/amount.ts";
import { escapeText, fitLinesOrCount } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { describeCaseLine } from "../shared/describe-case.ts";
import { showDone } from "../shared/show-case.ts";
import { undoCases } from "./bulk.ts";
import { authorizeUndo, describeUndo, requireSteps, type Asked } from "./describe-undo.ts";

/** One case is undone by a case. */
export const CaseState = z.object({
  kind: z.literal("case"),
  caseId: z.int(),
  reason: z.string().optional(),
});
type CaseState = z.infer<typeof CaseState>;

/** Several cases of a channel are undone by one bulk, because a post reports them together. */
export const CasesState = z.object({
  kind: z.literal("cases"),
  channelId: z.string(),
  caseIds: z.array(z.int()),
  reason: z.string().optional(),
});
type CasesState = z.infer<typeof CasesState>;

/** What the undo means comes after the cases, and has to be read. */
const maxCaseLines = 2000;

export async function previewCases(
  context: CommandContext,
  numbers: readonly number[],
  { channelId, reason }: Asked,
): Promise<Preview<CaseState | CasesState>> {
  const { query } = context.database;
  const { guildId } = context.actor;
  const cases = await listNumbered(query, guildId, [channelId], numbers);
  await authorizeUndo(context, channelId, cases);
  const known = new Set(cases.map(({ number }) => number));
  const missing = numbers.filter((number) => !known.has(number)).map((number) => showNumber("case", number));
  if (missing.length > 0)
    throw new AppError("not_found", `There is no case ${missing.join(", ")} in /${channelId}.`);
  const plan = await planUndo(context, query, cases);
  const [only] = cases.length === 1 ? cases : [];
  requireSteps(plan, only ? nameOf(only) : "these cases");
  const lookups = await readCaseLookups(query, cases);
  const lines = [
    fitLinesOrCount(
      plan.steps.map(({ undone }) => describeCaseLine(undone, lookups)),
      maxCaseLines,
    ),
    ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
    "",
    ...(await describeUndo(context, plan)),
  ];
  const what = only ? nameOf(only) : amount(plan.steps.length, "case");
  const view = textView("warning", lines, { title: `Undo ${what} in /${channelId}?` });
  if (only) return { view, state: { kind: "case", caseId: only.id, reason } };
  return {
    view,
    state: { kind: "cases", channelId, caseIds: cases.map(({ id }) => id), reason },
    confirmLabel: plan.stays.length === 0 ? "Undo all of them" : "Undo",
  };
}

function nameOf({ number }: Case): string {
  return `case ${showNumber("case", number)}`;
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
  subject: Case,
  actor: Doer,
  publicReason: string | undefined,
): Promise<Case> {
  const { id, guildId, channelId } = subject;
  return context.database.transaction(async (tx) => {
    const plan = await planUndo(context, tx, await lockCases(tx, [id]));
    requireSteps(plan, nameOf(subject));
    const [step] = plan.steps;
    if (!step) throw new Error("a plan without steps went through");
    return proposeCase(tx, context.clock, { ...step.action, guildId, channelId, actor, publicReason });
  });
}

/** Undoes what can still be undone of them. */
export async function undoSeveral(
  context: CommandContext,
  { channelId, caseIds, reason }: CasesState,
): Promise<View> {
  const { by } = await authorizeUndo(context, channelId, await readCases(context.database.query, caseIds));
  const { guildId } = context.actor;
  const request = { guildId, channelId, kind: "undo" as const, selection: "several cases", by, reason };
  return undoCases(context, request, caseIds);
}
