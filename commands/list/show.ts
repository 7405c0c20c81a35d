import { listing } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView } from "../../src/discord/view.ts";
import { maxListText } from "../../src/limits/discord-limits.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { describeUser, withNames } from "../../src/observe/people.ts";
import type { RulesInForce, WrittenList } from "../../src/rules/evaluate/rule-set.ts";
import { amount } from "../../src/text/amount.ts";
import { fitLines, inlineCode } from "../../src/text/message-text.ts";
import { describeUse } from "./change-list.ts";
import { optionalList, requireList, typeWords, usersOf } from "./list-arguments.ts";
import { findReadable } from "../rule/rule-arguments.ts";

const pageSize = 50;

export const showList = listing({
  description: "The lists that rules use, or the values of one list",
  needs: "rules",
  console: true,
  options: { list: optionalList },
  async page(context, { list: typed }, cursor) {
    await authorizeRules(context, context.actor);
    const rules = await findReadable(context);
    const start = Number(cursor ?? 0);
    const name = typed?.trim().toLowerCase();
    const list = name === undefined ? undefined : requireList(rules, name);
    const total = list ? list.values.length : (rules?.ruleSet.lists.size ?? 0);
    const lines = list ? await describeValues(context, list, start) : describeLists(rules, start);
    const { text, fitted } = fitLines(lines, maxListText);
    const end = start + fitted;
    const empty = list ? "The list is empty." : "No lists yet. Create one with /list add.";
    const heading =
      name !== undefined && list
        ? {
            title: `${name}: ${amount(total, "value")} (${typeWords[list.type]})`,
            footer:
              usersOf(rules, name).length > 0
                ? "Use /list add and /list remove to change it."
                : "No rule uses it.",
          }
        : { title: "Lists" };
    return {
      view: textView("plain", text || empty, heading),
      ...(end < total && { next: String(end) }),
    };
  },
});

function describeLists(rules: RulesInForce | undefined, start: number): string[] {
  const lists = [...(rules?.ruleSet.lists ?? [])].slice(start, start + pageSize);
  return lists.map(
    ([name, { type, values }]) =>
      `**${name}** · ${amount(values.length, "value")} (${typeWords[type]}) · ${describeUse(usersOf(rules, name))}`,
  );
}

async function describeValues(
  { database }: CommandContext,
  { type, values }: WrittenList,
  start: number,
): Promise<string[]> {
  const shown = values.slice(start, start + pageSize);
  if (type !== "fid") return shown.map((value) => inlineCode(String(value), 120));
  return (await withNames(database.query, shown.map(Number))).map(describeUser);
}
