import { confirm, oneOf, type Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import type { RulesInForce } from "../../src/rules/evaluate/rule-set.ts";
import { emptyFile } from "../../src/rules/language/edit-file.ts";
import { findFreeId, findSame } from "../../src/rules/versions/same-rule.ts";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { starterRules, type StarterId, type StarterRule } from "../../src/rules/starter/starter-rules.ts";
import { ProposedRules, proposeRules, putInForce } from "./change-rules.ts";
import { modeWords } from "./describe-rule.ts";

const ids = starterRules.map(({ id }) => id);

export const starterSet = confirm({
  description: "Starter rules: lists them, or adds one in shadow after showing what it would have done",
  needs: "rules",
  options: { rule: oneOf(ids, { description: "The one to add; lists them if left out" }) },
  confirmLabel: "Add it in shadow",
  state: ProposedRules,
  async preview(context, { rule: id }) {
    await authorizeRules(context, context.actor);
    return id === undefined ? { view: await listStarters(context) } : addStarter(context, id);
  },
  act: putInForce,
});

async function addStarter(context: CommandContext, id: StarterId): Promise<Preview<ProposedRules>> {
  const rules = await findReadable(context);
  const starter = requireStarter(id);
  const present = findSame(rules?.ruleSet, starter.entry);
  if (present) {
    const name = present.id === id ? "" : ` as **${present.id}**`;
    const description = `**${id}** is already there${name}: ${modeWords[present.mode]}. /rule mode changes its mode, /rule edit the rest.`;
    return { view: textView("plain", description) };
  }
  const entry = { ...starter.entry, id: findFreeId(rules?.ruleSet, id), mode: "shadow" };
  const queue = `user ${context.actor.userId}`;
  const added = [{ entry, comment: starter.what }];
  const source = await context.ruleThreads.edit(queue, "appendRules", rules?.source ?? emptyFile, added);
  return proposeRules(context, source, `starter rule ${id}`);
}

function requireStarter(id: StarterId): StarterRule {
  const found = starterRules.find((one) => one.id === id);
  if (!found) throw new Error(`there is no starter rule ${id}`);
  return found;
}

/** Throws `invalid_file` if the rules in force can no longer be read. */
async function findReadable(context: CommandContext): Promise<RulesInForce | undefined> {
  const rules = await findRules(context, context.actor.guildId);
  if (rules?.unreadable) throw rules.unreadable;
  return rules;
}

async function listStarters(context: CommandContext): Promise<View> {
  const rules = await findReadable(context);
  const lines = starterRules.map((starter) => {
    const present = findSame(rules?.ruleSet, starter.entry);
    const other = present ? undefined : rules?.ruleSet.rules.find(({ id }) => id === starter.id);
    const mark = present ? modeWords[present.mode] : "➕ not added";
    const name = present && present.id !== starter.id ? ` (as **${present.id}**)` : "";
    const taken = other
      ? [
          `⚠️ This server already has a different rule with that name (${modeWords[other.mode]}). This one would be added as **${findFreeId(rules?.ruleSet, starter.id)}**.`,
        ]
      : [];
    return [`${mark} **${starter.id}**${name}`, starter.what, ...taken].join("\n");
  });
  const steps =
    "To add one, use /rule starter with its name. It is added in shadow, so it only records what it would do. /rule show lists that, and /rule mode lets it act.";
  return textView("plain", [...lines, "", steps], { title: "Rules to start with" });
}
