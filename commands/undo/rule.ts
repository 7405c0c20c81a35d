import { z } from "zod";
import type { Tx } from "../../src/database/database.ts";
import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import type { RoomEmbed } from "../../src/feed/rooms.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { maxTargets } from "../../src/moderation/bulks/bulk.ts";
import { readCases } from "../../src/moderation/cases/case.ts";
import { planUndo } from "../../src/moderation/bulks/plan-undo.ts";
import {
  countHeld,
  countOwnActions,
  listCasesOfRule,
  undoOwnActions,
  type ActionCounts,
} from "../../src/moderation/bulks/rule-run.ts";
import { amount } from "../../src/text/amount.ts";
import { colors } from "../../src/text/colors.ts";
import { describeTime, escapeText, inlineCode } from "../../src/text/message-text.ts";
import { undoCases } from "./bulk.ts";
import { authorizeUndo, describeUndo, type Asked } from "./describe-undo.ts";

export const RuleState = z.object({
  kind: z.literal("rule"),
  channelId: z.string(),
  rule: z.string(),
  caseIds: z.array(z.int()),
  reason: z.string().optional(),
  /** The time span of the strikes and notes that are removed too. */
  span: z.object({ sinceMs: z.int(), untilMs: z.int() }).optional(),
});
type RuleState = z.infer<typeof RuleState>;

/** Everything that a rule did automatically since a time. */
export async function previewRule(
  context: CommandContext,
  ruleId: string,
  { channelId, reason, since }: Asked & { since: number | undefined },
): Promise<Preview<RuleState>> {
  await authorizeAction(context, context.actor, channelId, "undo");
  const { query } = context.database;
  const untilMs = context.clock.now();
  const sinceMs = since === undefined ? untilMs - 86_400_000 : since * 1000;
  const run = { guildId: context.actor.guildId, channelId, ruleId, sinceMs, untilMs };
  const found = await listCasesOfRule(query, run, maxTargets + 1);
  const cases = found.slice(0, maxTargets);
  await authorizeUndo(context, channelId, cases);
  const counts = await countOwnActions(query, run);
  const isMarking = counts.strikes + counts.notes > 0;
  // The same right as for a single strike.
  if (isMarking) await authorizeAction(context, context.actor, channelId, "undo", "ban");
  const what = `rule ${inlineCode(ruleId, 40)} in /${channelId} since ${describeTime(sinceMs / 1000, "f")}`;
  const plan = await planUndo(context, query, cases);
  if (plan.steps.length === 0 && !isMarking) {
    const reasons = [...new Set(plan.stays.map(({ why }) => why))].slice(0, 3);
    const description = `Nothing by ${what} can be undone${reasons.length > 0 ? `: ${reasons.join("; ")}` : ": it did nothing"}.`;
    return { view: textView("plain", description) };
  }
  const lines = [
    `${amount(cases.length, "case")} by ${what}.`,
    ...(found.length > cases.length ? [`Only the first ${maxTargets}. Run it again for the rest.`] : []),
    ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
    "",
    ...(await describeUndo(context, plan)),
    ...(isMarking ? [`↩️ ${describeActions(counts)} removed. Undoing this undo does not restore them.`] : []),
    ...describeHeld(await countHeld(query, run)),
    "The rule stays active. /rule mode turns it off.",
  ];
  const title = `Undo everything that ${escapeText(ruleId, 40)} did?`;
  const caseIds = plan.steps.length === 0 ? [] : cases.map(({ id }) => id);
  const span = isMarking ? { sinceMs, untilMs } : undefined;
  return {
    view: textView("warning", lines, { title }),
    state: { kind: "rule", channelId, rule: ruleId, caseIds, reason, span },
    confirmLabel: "Undo all of it",
  };
}

export async function undoRule(
  context: CommandContext,
  { channelId, rule, caseIds, reason, span }: RuleState,
): Promise<View> {
  const { database, clock, actor } = context;
  const { guildId, userId } = actor;
  const cases = await readCases(database.query, caseIds);
  const { by } = await authorizeUndo(context, channelId, cases);
  if (span) await authorizeAction(context, actor, channelId, "undo", "ban");
  const asked = {
    guildId,
    channelId,
    kind: "undo" as const,
    selection: `everything that rule ${rule} did`,
    by,
    reason,
  };
  let taken: ActionCounts = { strikes: 0, notes: 0 };
  const undoActions = async (tx: Tx) => {
    if (!span) return;
    taken = await undoOwnActions(
      tx,
      { guildId, channelId, ruleId: rule, ...span },
      { userId, nowMs: clock.now() },
    );
  };
  if (caseIds.length === 0) {
    await database.transaction(undoActions);
    return { embeds: [announceActions(taken)] };
  }
  const view = await undoCases(context, asked, caseIds, { inTransaction: undoActions });
  return span ? { ...view, embeds: [...(view.embeds ?? []), announceActions(taken)] } : view;
}

function announceActions(counts: ActionCounts): RoomEmbed {
  const isNone = counts.strikes + counts.notes === 0;
  const description = isNone ? "It had no active strikes or notes." : `${describeActions(counts)} removed.`;
  return { description, color: isNone ? colors.plain : colors.good };
}

/** "3 strikes and 1 note are". */
function describeActions({ strikes, notes }: ActionCounts): string {
  const parts = [
    ...(strikes > 0 ? [amount(strikes, "strike")] : []),
    ...(notes > 0 ? [amount(notes, "note")] : []),
  ];
  return `${parts.join(" and ")} ${strikes + notes === 1 ? "is" : "are"}`;
}

function describeHeld(reviews: number): string[] {
  return reviews === 0 ? [] : [`**Not undone:** ${amount(reviews, "open review")} (/review show).`];
}
