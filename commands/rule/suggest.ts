import { seconds } from "../../src/clock.ts";
import { confirm, integer, text, type Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { listLinkedChannels } from "../../src/moderation/channel-links.ts";
import { emptyFile } from "../../src/rules/language/edit-file.ts";
import { rehearsalNote } from "../../src/rules/rehearse/rehearse.ts";
import {
  applySuggestion,
  rehearseSuggestions,
  type RehearsedSuggestion,
} from "../../src/rules/suggest/rehearse-suggestions.ts";
import { suggestRules, type Suggestion, type SuggestPlan } from "../../src/rules/suggest/suggest-rules.ts";
import type { Trait } from "../../src/rules/suggest/trait.ts";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { amount } from "../../src/text/amount.ts";
import { encodeCustomId } from "../../src/text/custom-id.ts";
import { inlineCode } from "../../src/text/message-text.ts";
import { ProposedRules, proposeRules, putInForce } from "./change-rules.ts";

/** How long suggestions are tried on the past, in milliseconds. */
const timeoutMs = 60_000;
const usualDays = 14;

export const suggestFromActions = confirm({
  description: "Suggests rules by what people hid, banned or undid by hand; adds one after a preview",
  needs: "rules",
  options: {
    add: text({ description: "Which to add; none lists them", maxLength: 60 }),
    days: integer({ description: `How far back, in days (${usualDays})`, min: 1, max: 90 }),
  },
  confirmLabel: "Add it",
  state: ProposedRules,
  async preview(context, { add, days = usualDays }) {
    const plan = await planSuggestions(context, days);
    const suggestions = await suggestRules(context, plan);
    if (add !== undefined) return addSuggestion(context, plan, suggestions, add.trim().toLowerCase());
    const { rehearsed, done } = await rehearseSuggestions(context, { ...plan, timeoutMs }, suggestions);
    return { view: listSuggestions(rehearsed, { days, done }) };
  },
  act: putInForce,
});

/** Throws `invalid_file` where what is in force cannot be read any more, and as `authorizeRules` does. */
async function planSuggestions(context: CommandContext, days: number): Promise<SuggestPlan> {
  const { guildId, userId } = context.actor;
  const channelIds = await authorizeRules(context, context.actor);
  const linked = await listLinkedChannels(context, guildId);
  const inForce = await findRules(context, guildId);
  if (inForce?.unreadable) throw inForce.unreadable;
  return {
    queue: `user ${userId}`,
    guildId,
    channelIds,
    since: seconds(context.clock) - days * 86_400,
    rules: inForce?.ruleSet,
    // A rule for all channels takes the right in each of them.
    channels: channelIds.length < linked.length ? channelIds : null,
  };
}

async function addSuggestion(
  context: CommandContext,
  { queue, rules }: SuggestPlan,
  suggestions: readonly Suggestion[],
  id: string,
): Promise<Preview<ProposedRules>> {
  const wanted = suggestions.find((one) => one.id === id);
  if (!wanted) {
    throw new AppError(
      "not_found",
      `Nothing suggests ${inlineCode(id, 60)} any more. /rule suggest shows what there is now.`,
    );
  }
  const source = await applySuggestion(context, queue, rules?.source ?? emptyFile, wanted);
  return proposeRules(context, source, `suggestion ${id}`);
}

function listSuggestions(
  rehearsed: readonly RehearsedSuggestion[],
  { days, done }: { days: number; done: number },
): View {
  const title = "What your own decisions suggest";
  if (rehearsed.length === 0) {
    const description = `In the last ${amount(days, "day")}, nothing that people hid, banned or undid by hand has enough in common for a rule.`;
    return textView("plain", description, { title });
  }
  const part =
    done < 1
      ? [`⚠️ Tried on the latest ${Math.floor(done * 100)} % of that time only: there is too much.`]
      : [];
  const lines = [
    `By the last ${amount(days, "day")}. Nothing changes before you confirm it.`,
    ...part,
    ...rehearsed.flatMap((one, index) => ["", ...describeSuggestion(one, index + 1)]),
  ];
  const buttons = rehearsed.map(({ suggestion: { id, kind } }, index) => ({
    customId: encodeCustomId({
      kind: "run",
      path: "rule suggest",
      options: { add: id, days: String(days) },
    }),
    label: kind === "rule" ? `Add ${index + 1} in shadow` : `Add ${index + 1}`,
    style: "secondary" as const,
  }));
  return {
    ...textView("plain", lines, { title, footer: rehearsalNote }),
    buttons: [buttons.slice(0, 5), buttons.slice(5)],
  };
}

function describeSuggestion({ suggestion, hits, spared }: RehearsedSuggestion, number: number): string[] {
  const { id, trait, covers, of } = suggestion;
  const what = describeTrait(trait);
  if (suggestion.kind === "exemption") {
    return [
      `**${number}. ${id}** · exemption of **${suggestion.ruleId}**: ${what}`,
      `${covers} of ${amount(of, "cast")} that people took back or dismissed after this rule's hit; none of its other hits.`,
      `Rehearsed: no longer hit: **${spared}**.`,
    ];
  }
  const { then } = suggestion.entry;
  const also = Array.isArray(then) && then.length > 1 ? " and bans their authors for 7 days" : "";
  return [
    `**${number}. ${id}** · new rule in shadow: hides casts with ${what}${also}`,
    `${covers} of ${amount(of, "cast")} that people removed by hand and no rule hits.`,
    `Rehearsed: newly hit: **${hits}**, none of them visible today.`,
  ];
}

function describeTrait(trait: Trait): string {
  switch (trait.kind) {
    case "address":
      return `the address ${inlineCode(trait.domain, 80)}`;
    case "phrase":
      return `the words ${inlineCode(trait.text, 120)}`;
    case "pattern":
      return `the words ${trait.words.map((word) => inlineCode(word, 40)).join(" … ")}`;
    case "author":
      return `the author fid ${trait.fid}`;
  }
}
