import { seconds } from "../../src/clock.ts";
import { confirm, integer, text, type Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { runButton } from "../../src/feed/run-button.ts";
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
import { inlineCode } from "../../src/text/message-text.ts";
import { ProposedRules, proposeRules, putRulesInForce } from "./change-rules.ts";

/** Time limit for rehearsing suggestions, in milliseconds. */
const timeoutMs = 60_000;
const usualDays = 14;

export const suggestFromActions = confirm({
  description: "Suggests rules from what people hid, banned or undid by hand; adds one after a preview",
  needs: "rules",
  options: {
    add: text({ description: "The one to add; lists them if left out", maxLength: 60 }),
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
  act: putRulesInForce,
});

/** Throws `invalid_file` if the rules in force can no longer be read, and as `authorizeRules` does. */
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
      `${inlineCode(id, 60)} is no longer suggested. /rule suggest shows the current suggestions.`,
    );
  }
  const source = await applySuggestion(context, queue, rules?.source ?? emptyFile, wanted);
  return proposeRules(context, source, `suggestion ${id}`);
}

function listSuggestions(
  rehearsed: readonly RehearsedSuggestion[],
  { days, done }: { days: number; done: number },
): View {
  const title = "Suggestions from your decisions";
  if (rehearsed.length === 0) {
    const description = `In the last ${amount(days, "day")}, the casts that people hid, banned for or restored by hand do not have enough in common for a rule.`;
    return textView("plain", description, { title });
  }
  const part =
    done < 1
      ? [
          `⚠️ Rehearsed only on the latest ${Math.floor(done * 100)} % of that time, because there is too much for one run.`,
        ]
      : [];
  const lines = [
    `Based on the last ${amount(days, "day")}. Nothing changes until you confirm.`,
    ...part,
    ...rehearsed.flatMap((one, index) => ["", ...describeSuggestion(one, index + 1)]),
  ];
  const buttons = rehearsed.map(({ suggestion: { id, kind } }, index) => {
    const label = kind === "rule" ? `Add ${index + 1} in shadow` : `Add ${index + 1}`;
    return runButton(label, "rule suggest", { add: id, days: String(days) });
  });
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
      `${covers} of ${amount(of, "cast")} that people undid or dismissed after this rule matched; none of its other matches.`,
      `Rehearsed. No longer matched: **${spared}**.`,
    ];
  }
  const { then } = suggestion.entry;
  const also = Array.isArray(then) && then.length > 1 ? " and bans their authors for 7 days" : "";
  return [
    `**${number}. ${id}** · new rule in shadow: hides casts with ${what}${also}`,
    `${covers} of ${amount(of, "cast")} that people removed by hand and no rule matches.`,
    `Rehearsed. Newly matched: **${hits}**, none of them visible today.`,
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
