import { z } from "zod";
import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { planUndo } from "../../src/moderation/bulks/plan-undo.ts";
import { listNumbered, readCases } from "../../src/moderation/cases/case.ts";
import { readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import { amount } from "../../src/text/amount.ts";
import { escapeText, fitLinesOrCount } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { describeCaseLine } from "../shared/describe-case.ts";
import { undoCases } from "./bulk.ts";
import { authorizeUndo, describeUndo, requireSteps } from "./describe-undo.ts";

export const CasesState = z.object({
  kind: z.literal("cases"),
  channelId: z.string(),
  caseIds: z.array(z.int()),
  reason: z.string().optional(),
});
type CasesState = z.infer<typeof CasesState>;

/** What the undo means comes after the cases, and has to be read. */
const maxCaseLines = 2000;

/** Several cases of a channel, which one bulk undoes: what a post tells together. */
export async function previewCases(
  context: CommandContext,
  numbers: readonly number[],
  { channelId, reason }: Pick<CasesState, "channelId" | "reason">,
): Promise<Preview<CasesState>> {
  const { query } = context.database;
  const { guildId } = context.actor;
  const cases = await listNumbered(query, guildId, [channelId], numbers);
  await authorizeUndo(context, channelId, cases);
  const known = new Set(cases.map(({ number }) => number));
  const missing = numbers.filter((number) => !known.has(number)).map((number) => showNumber("case", number));
  if (missing.length > 0)
    throw new AppError("invalid_input", `There is no case ${missing.join(", ")} in /${channelId}.`);
  const plan = await planUndo(context, query, cases);
  requireSteps(plan, "these cases");
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
  const title = `Undo ${amount(plan.steps.length, "case")} in /${channelId}?`;
  return {
    view: textView("warning", lines, { title }),
    state: { kind: "cases", channelId, caseIds: cases.map(({ id }) => id), reason },
    confirmLabel: plan.stays.length === 0 ? "Undo all of them" : "Undo",
  };
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
