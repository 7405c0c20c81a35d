import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { form, oneOf, type Form, type FormField, type Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import type { RuleSet } from "../../src/rules/evaluate/rule-set.ts";
import { emptyFile } from "../../src/rules/language/edit-file.ts";
import { findFreeId, findSame } from "../../src/rules/versions/same-rule.ts";
import { starterRules, type StarterRule } from "../../src/rules/starter/starter-rules.ts";
import { readActions, writeActions } from "../../src/rules/starter/write-actions.ts";
import { ProposedRules, proposeRules, putRulesInForce } from "./change-rules.ts";
import { modeWords } from "./describe-rule.ts";
import { findReadable } from "./rule-arguments.ts";

const ids = starterRules.map(({ id }) => id);

export const starterSet = form({
  description: "Starter rules: lists them, or asks for the numbers of one and adds it in shadow",
  needs: "rules",
  options: { rule: oneOf(ids, { description: "The one to add; lists them if left out" }) },
  confirmLabel: "Add it in shadow",
  formState: z.object({ id: z.string() }),
  state: ProposedRules,
  async open(context, { rule: id }) {
    await authorizeRules(context, context.actor);
    const rules = await findReadable(context);
    if (id === undefined) return { view: listStarters(rules?.ruleSet) };
    const starter = requireStarter(id);
    const view = findPresent(rules?.ruleSet, starter, starter.entry);
    return view ? { view } : askNumbers(starter);
  },
  async preview(context, { id }, typed) {
    await authorizeRules(context, context.actor);
    return addStarter(context, requireStarter(id), typed);
  },
  act: putRulesInForce,
});

function askNumbers({ id, asks, entry }: StarterRule): Form<{ id: string }> {
  const field = (label: string, value: string): FormField => ({ label, value, maxLength: 100, short: true });
  const { count, within } = asks;
  return {
    title: `Starter rule ${id}`,
    fields: {
      ...(count && { count: field(count.label, String(count.usual)) }),
      ...(within && { within: field(within.label, within.usual) }),
      then: field("What happens? (hide, review, ban 7d, …)", writeActions(entry)),
    },
    state: { id },
  };
}

async function addStarter(
  context: CommandContext,
  starter: StarterRule,
  typed: Readonly<Record<string, string>>,
): Promise<Preview<ProposedRules>> {
  const rules = await findReadable(context);
  const written = fillIn(starter, typed);
  const view = findPresent(rules?.ruleSet, starter, written);
  if (view) return { view };
  const isUsual = isDeepStrictEqual(written, starter.entry);
  const comment = isUsual ? starter.what : `Starter rule ${starter.id}, with numbers of this server.`;
  const source = (mode: "shadow" | "enforce") => {
    const entry = { ...written, id: findFreeId(rules?.ruleSet, starter.id), mode };
    const queue = `user ${context.actor.userId}`;
    return context.ruleThreads.edit(queue, "appendRules", rules?.source ?? emptyFile, [{ entry, comment }]);
  };
  return proposeRules(context, await source("shadow"), `starter rule ${starter.id}`, {
    confirmLabel: "Add it in shadow",
    others: [{ label: "Let it act at once", source: await source("enforce") }],
  });
}

/** The rule with what was typed in its form. Throws `invalid_input`. */
function fillIn(starter: StarterRule, { count, within, then }: Readonly<Record<string, string>>) {
  const entry = starter.withNumbers({
    ...(count !== undefined && { count: readCount(count) }),
    ...(within !== undefined && { within: within.trim() }),
  });
  // What was left as it is may say more than fits into the form, such as a reason.
  if (then === undefined || then.trim() === writeActions(starter.entry)) return entry;
  return { ...entry, then: readActions(then) };
}

function readCount(typed: string): number {
  if (/^[0-9]{1,6}$/.test(typed.trim())) return Number(typed);
  throw new AppError("invalid_input", `How many must be a number such as 5, not "${typed.slice(0, 40)}".`);
}

/** What is said of a rule that is in the file already; undefined where it is not. */
function findPresent(
  rules: RuleSet | undefined,
  { id }: StarterRule,
  entry: Readonly<Record<string, unknown>>,
): View | undefined {
  const present = findSame(rules, entry);
  if (!present) return undefined;
  const name = present.id === id ? "" : ` as **${present.id}**`;
  const description = `**${id}** is already there${name}: ${modeWords[present.mode]}. /rule mode changes its mode, /rule edit the rest.`;
  return textView("plain", description);
}

function requireStarter(id: string): StarterRule {
  const found = starterRules.find((one) => one.id === id);
  if (!found)
    throw new AppError("expired", "This form is from another version. Please run the command again.");
  return found;
}

function listStarters(rules: RuleSet | undefined): View {
  const lines = starterRules.map((starter) => {
    const present = findSame(rules, starter.entry);
    const other = present ? undefined : rules?.rules.find(({ id }) => id === starter.id);
    const mark = present ? modeWords[present.mode] : "➕ not added";
    const name = present && present.id !== starter.id ? ` (as **${present.id}**)` : "";
    const taken = other
      ? [
          `⚠️ This server already has a different rule with that name (${modeWords[other.mode]}). This one would be added as **${findFreeId(rules, starter.id)}**.`,
        ]
      : [];
    return [`${mark} **${starter.id}**${name}`, starter.what, ...taken].join("\n");
  });
  const steps =
    "To add one, use /rule starter with its name. A form asks for its numbers and what it does. It is added in shadow, so it only records what it would do. /rule show lists that, and /rule mode lets it act.";
  return textView("plain", [...lines, "", steps], { title: "Rules to start with" });
}
