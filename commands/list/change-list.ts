import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { runButton } from "../../src/feed/run-button.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { listLinkedChannels } from "../../src/moderation/channel-links.ts";
import { readNames } from "../../src/observe/people.ts";
import type { Rule, RulesInForce } from "../../src/rules/evaluate/rule-set.ts";
import { emptyFile } from "../../src/rules/language/edit-file.ts";
import { ListName } from "../../src/rules/language/rule-file.ts";
import { compareAs, type ListType } from "../../src/rules/language/rule-list.ts";
import { isShared } from "../../src/rules/links/domains-to-list.ts";
import { ruleOfList } from "../../src/rules/starter/rule-of-list.ts";
import { compareRules } from "../../src/rules/versions/compare-rules.ts";
import { findFreeId } from "../../src/rules/versions/same-rule.ts";
import { amount } from "../../src/text/amount.ts";
import { inlineCode, nameSome } from "../../src/text/message-text.ts";
import { proposeRules, putRulesInForce, type ProposedRules } from "../rule/change-rules.ts";
import { modeWords } from "../rule/describe-rule.ts";
import { requireList, typeWords, usersOf } from "./list-arguments.ts";
import { findReadable } from "../rule/rule-arguments.ts";

/** Values of a list, as returned by `readValues`. */
interface ListValues {
  name: string;
  type: ListType;
  values: readonly (string | number)[];
}

/**
 * Previews adding values to a list. A list that no rule uses also gets the simplest rule that does, in shadow,
 * unless only the list is wanted. Throws `not_allowed`, `invalid_input`.
 */
export async function proposeAddition(
  context: CommandContext,
  { name, type, values }: ListValues,
): Promise<Preview<ProposedRules>> {
  const held = await authorizeRules(context, context.actor);
  const rules = await findReadable(context);
  const present = rules?.ruleSet.lists.get(name);
  requireFitting(name, present?.type ?? type, type);
  const known = new Set(present?.values.map((value) => compareAs(type, value)));
  const different = new Map(values.map((value) => [compareAs(type, value), value]));
  const added = [...different].filter(([compared]) => !known.has(compared)).map(([, value]) => value);
  const shown = await describeValues(context, type, added);
  if (added.length === 0) {
    const what = different.size === 1 ? "That is" : "All of that is";
    return {
      view: textView(
        "plain",
        `${what} in the list **${name}** already. ${describeUse(usersOf(rules, name))}`,
      ),
    };
  }
  const queue = `user ${context.actor.userId}`;
  const source = await context.ruleThreads.edit(queue, "addToList", rules?.source ?? emptyFile, {
    name,
    type,
    values: added,
  });
  const users = usersOf(rules, name);
  const lead = [
    `➕ To the ${present ? "" : "new "}list **${name}** (${typeWords[type]}): ${shown}`,
    ...(added.length < different.size ? [`Already in it: ${different.size - added.length}.`] : []),
    ...warn(type, added),
    ...(users.length > 0 ? [describeUse(users)] : []),
  ];
  const change = `list ${name}: ${amount(added.length, "value")} added`;
  if (users.length > 0)
    return proposeRules(context, source, change, { title: "Add to the list?", lead, confirmLabel: "Add it" });
  const { entry, what } = await firstRule(context, rules, held, { name, type });
  const withRule = await context.ruleThreads.edit(queue, "appendRules", source, [{ entry, comment: what }]);
  return proposeRules(context, withRule, `${change}, with rule ${entry.id}`, {
    title: "Add to the list?",
    lead: [
      ...lead,
      "No rule uses this list yet, so one is added in shadow. It only records what it would do.",
    ],
    confirmLabel: "Add it and the rule",
    others: [{ label: "Only the list", source }],
  });
}

/** Previews removing values from a list. Throws `not_allowed`, `not_found`, `invalid_input`. */
export async function proposeRemoval(
  context: CommandContext,
  { name, type, values }: ListValues,
): Promise<Preview<ProposedRules>> {
  await authorizeRules(context, context.actor);
  const rules = await findReadable(context);
  const list = requireList(rules, name);
  const known = new Set(list.values.map((value) => compareAs(type, value)));
  const gone = values.filter((value) => known.has(compareAs(type, value)));
  if (!rules || gone.length === 0) {
    throw new AppError("not_found", `That is not in the list **${name}**. /list show has its values.`);
  }
  const queue = `user ${context.actor.userId}`;
  const source = await context.ruleThreads.edit(queue, "removeFromList", rules.source, {
    name,
    type,
    values: gone,
  });
  const shown = await describeValues(context, type, gone);
  const lead = [
    `➖ From the list **${name}** (${typeWords[type]}): ${shown}`,
    describeUse(usersOf(rules, name)),
  ];
  return proposeRules(context, source, `list ${name}: ${amount(gone.length, "value")} removed`, {
    title: "Remove from the list?",
    lead,
    confirmLabel: "Remove",
  });
}

/** Puts the changed list in force, with buttons to let changed rules that are in shadow act. */
export async function putListInForce(context: CommandContext, state: ProposedRules): Promise<View> {
  const before = (await findReadable(context))?.ruleSet;
  const view = await putRulesInForce(context, state);
  const after = (await findReadable(context))?.ruleSet;
  if (!after) return view;
  const { added, changed } = compareRules(before, after);
  const touched = [...added, ...changed.map((change) => change.after)];
  const waiting = touched.filter(({ mode }) => mode === "shadow");
  const buttons = waiting
    .slice(0, 5)
    .map(({ id }) => runButton(`Let ${id} act`, "rule mode", { rule: id, mode: "enforce" }));
  return { ...view, ...(buttons.length > 0 && { buttons: [buttons] }) };
}

function requireFitting(name: string, present: ListType, wanted: ListType): void {
  const named = ListName.safeParse(name);
  if (!named.success) {
    throw new AppError(
      "invalid_input",
      `The name of a list ${named.error.issues[0]?.message ?? "is not valid"}.`,
    );
  }
  if (present === wanted) return;
  throw new AppError(
    "invalid_input",
    `The list ${name} is of ${typeWords[present]}, not of ${typeWords[wanted]}.`,
  );
}

/** A rule for all channels takes the right in each of them. */
async function firstRule(
  context: CommandContext,
  rules: RulesInForce | undefined,
  held: readonly string[],
  { name, type }: Pick<ListValues, "name" | "type">,
) {
  const linked = await listLinkedChannels(context, context.actor.guildId);
  const { id, what, rule } = ruleOfList(name, type);
  const channels = held.length > 0 && held.length < linked.length ? { channels: held } : {};
  return { what, entry: { id: findFreeId(rules?.ruleSet, id), mode: "shadow", ...channels, ...rule } };
}

/** The rules that use a list, with their modes. */
export function describeUse(users: readonly Rule[]): string {
  if (users.length === 0) return "No rule uses it.";
  return `Used by ${nameSome(users, 5, ({ id, mode }) => `**${id}** (${modeWords[mode]})`)}.`;
}

const maxShown = 10;

async function describeValues(
  { database }: CommandContext,
  type: ListType,
  values: readonly (string | number)[],
): Promise<string> {
  const fids = type === "fid" ? values.slice(0, maxShown).map(Number) : [];
  const names = await readNames(database.query, fids);
  return nameSome(values, maxShown, (value) => {
    const name = type === "fid" ? names.get(Number(value)) : undefined;
    return inlineCode(name === undefined ? String(value) : `@${name} (fid ${value})`, 80);
  });
}

/** A phrase with fewer letters than this occurs inside many words. */
const fewLetters = 4;

function warn(type: ListType, values: readonly (string | number)[]): string[] {
  const texts = values.map(String);
  const list = (some: readonly string[]) =>
    some
      .slice(0, 5)
      .map((one) => inlineCode(one, 60))
      .join(", ");
  const shared = type === "domain" ? texts.filter(isShared) : [];
  const short =
    type === "text" ? texts.filter((text) => /^[\p{ASCII}]*$/u.test(text) && text.length < fewLetters) : [];
  return [
    ...(shared.length > 0
      ? [`⚠️ Many people link to ${list(shared)}. This entry matches every one of those links.`]
      : []),
    ...(short.length > 0 ? [`⚠️ ${list(short)} is short, so it also matches inside other words.`] : []),
  ];
}
