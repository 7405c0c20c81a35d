import { z } from "zod";
import { confirm, text } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { mostTargets, readCases } from "../../src/moderation/bulks/bulk.ts";
import { planUndo } from "../../src/moderation/bulks/plan-undo.ts";
import { countOwnDeeds, listCasesOfRule, type OwnDeeds } from "../../src/moderation/bulks/rule-run.ts";
import { amount } from "../../src/text/amount.ts";
import { colors } from "../../src/text/colors.ts";
import { describeTime, escapeText, inlineCode } from "../../src/text/message-text.ts";
import { undoCases } from "../bulk/undo.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";
import { sinceOption } from "../shared/targets.ts";
import { authorizeUndo, describeUndo } from "../shared/undo.ts";
import { ruleOption } from "./rule-arguments.ts";

export const undoRule = confirm({
  description: "Take back everything that a rule did by itself since a time",
  options: {
    rule: { ...ruleOption, required: true },
    since: sinceOption("Since when: 2h, 20:00 or 2026-11-23 20:00 (UTC); a day if left out"),
    reason: text({ description: "Why; shown in the new cases" }),
    channel: channelOption,
  },
  confirmLabel: "Undo all of it",
  state: z.object({
    channelId: z.string(),
    rule: z.string(),
    caseIds: z.array(z.int()),
    reason: z.string().optional(),
  }),
  async preview(context, { rule: typed, since: given, reason, channel }) {
    const ruleId = typed?.trim().toLowerCase();
    if (ruleId === undefined) throw new AppError("invalid_input", "Say which rule.");
    const channelId = await chooseChannel(context, channel);
    await authorizeAction(context, context.actor, channelId, "undo");
    const { query } = context.database;
    const sinceMs = given === undefined ? context.clock.now() - 86_400_000 : given * 1000;
    const run = { guildId: context.actor.guildId, channelId, ruleId, sinceMs };
    const found = await listCasesOfRule(query, run, mostTargets + 1);
    const cases = found.slice(0, mostTargets);
    await authorizeUndo(context, channelId, cases);
    const what = `what rule ${inlineCode(ruleId, 40)} did in /${channelId} since ${describeTime(sinceMs / 1000, "f")}`;
    const plan = await planUndo(context, query, cases);
    if (plan.steps.length === 0) {
      const reasons = [...new Set(plan.stays.map(({ why }) => why))].slice(0, 3);
      const description = `Nothing of ${what} can be undone${reasons.length > 0 ? `: ${reasons.join("; ")}` : ": it did nothing"}.`;
      return { view: { embeds: [{ description, color: colors.plain }] } };
    }
    const lines = [
      `${amount(cases.length, "case")}: ${what}.`,
      ...(found.length > cases.length ? [`Only the first ${mostTargets}: do it again for the rest.`] : []),
      ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
      "",
      ...(await describeUndo(context, plan)),
      ...describeOwnDeeds(await countOwnDeeds(query, run)),
      "The rule itself goes on: /rule mode turns it off.",
    ];
    const title = `Undo everything that ${escapeText(ruleId, 40)} did?`;
    return {
      view: { embeds: [{ title, description: lines.join("\n"), color: colors.warning }] },
      state: { channelId, rule: ruleId, caseIds: cases.map(({ id }) => id), reason },
    };
  },
  async act(context, { channelId, rule, caseIds, reason }) {
    const { guildId } = context.actor;
    const cases = await readCases(context.database.query, caseIds);
    const { by } = await authorizeUndo(context, channelId, cases);
    const asked = { guildId, channelId, kind: "undo" as const, about: `what rule ${rule} did`, by, reason };
    return undoCases(context, asked, caseIds);
  },
});

/** What is no case is not taken back with them. */
function describeOwnDeeds({ strikes, notes, reviews }: OwnDeeds): string[] {
  const parts = [
    ...(strikes > 0 ? [amount(strikes, "strike")] : []),
    ...(notes > 0 ? [amount(notes, "note")] : []),
    ...(reviews > 0 ? [`${amount(reviews, "open review")} (/review list)`] : []),
  ];
  return parts.length === 0 ? [] : [`**Not taken back:** ${parts.join(", ")}.`];
}
