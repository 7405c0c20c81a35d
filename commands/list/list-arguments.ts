import type { CommandContext } from "../../src/discord/command-context.ts";
import { text, type Suggest } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { findUser } from "../../src/moderation/find-target.ts";
import type { Rule, RuleSet, RulesInForce, WrittenList } from "../../src/rules/evaluate/rule-set.ts";
import type { ListType } from "../../src/rules/language/rule-list.ts";
import { domainsToList } from "../../src/rules/links/domains-to-list.ts";
import { usualLists } from "../../src/rules/starter/rule-of-list.ts";
import { readText } from "../../src/rules/text/rule-text.ts";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { inlineCode } from "../../src/text/message-text.ts";
import { suggestedChannels } from "../shared/suggestions.ts";

/** The values of each type of list, in words. */
export const typeWords = {
  domain: "links",
  text: "phrases",
  fid: "people",
  name: "names",
} as const satisfies Record<ListType, string>;

export const typeChoices = Object.values(typeWords);

const types: readonly ListType[] = ["domain", "text", "fid", "name"];

export function readType(word: (typeof typeChoices)[number]): ListType {
  const found = types.find((type) => typeWords[type] === word);
  if (!found) throw new Error(`no type of lists is called ${word}`);
  return found;
}

/** A list of this server, by name. */
export const listOption = text({
  description: "Which list",
  required: true,
  maxLength: 40,
  suggest: suggestLists([]),
});

/** The same where it may be left out. */
export const optionalList = text({
  description: "The list; shows all lists if left out",
  maxLength: 40,
  suggest: suggestLists([]),
});

/** The same for one that may not exist yet. */
export const newListOption = text({
  description: "The list; created if it does not exist",
  maxLength: 40,
  suggest: suggestLists(Object.values(usualLists)),
});

function suggestLists(usual: readonly string[]): Suggest {
  return async (typed, context) => {
    const lists = await readListsToSuggest(context);
    if (!lists) return [];
    const names = [...new Set([...lists.keys(), ...usual])];
    return names
      .filter((name) => name.includes(typed.trim().toLowerCase()))
      .map((name) => ({ name: lists.has(name) ? name : `${name} (new)`, value: name }));
  };
}

/** Suggests values of the given list. */
export const suggestValues: Suggest = async (typed, context, given) => {
  const name = given["list"];
  const lists = await readListsToSuggest(context);
  const list = typeof name === "string" ? lists?.get(name) : undefined;
  const word = typed.trim().toLowerCase();
  const values = list?.values.map(String).filter((value) => value.toLowerCase().includes(word)) ?? [];
  return values.slice(0, 25).map((value) => ({ name: value, value }));
};

/** Undefined if the actor may not view rules. */
async function readListsToSuggest(context: CommandContext): Promise<RuleSet["lists"] | undefined> {
  if ((await suggestedChannels(context, "rules")).length === 0) return undefined;
  return (await findRules(context, context.actor.guildId))?.ruleSet.lists ?? new Map<string, WrittenList>();
}

/** Throws `not_found`. */
export function requireList(rules: RulesInForce | undefined, name: string): WrittenList {
  const found = rules?.ruleSet.lists.get(name.trim().toLowerCase());
  if (found) return found;
  throw new AppError("not_found", `There is no list ${inlineCode(name, 40)}. See /list show.`);
}

/** The rules that name a list. */
export function usersOf(rules: RulesInForce | undefined, list: string): Rule[] {
  return rules?.ruleSet.rules.filter(({ lists }) => Object.hasOwn(lists, list)) ?? [];
}

/** The most people at once, because each name is looked up. */
const maxPeople = 25;
const maxPhrase = 500;

/** Reads typed values for a list of this type. Throws `invalid_input` if there are none. */
export async function readValues(
  context: CommandContext,
  type: ListType,
  typed: string,
): Promise<(string | number)[]> {
  switch (type) {
    case "domain":
      return requireSome(
        domainsToList(typed),
        "There is no link in that. Paste one, or write a domain such as free-mint.example.",
      );
    case "text":
      return readPhrases(typed);
    case "fid":
      return readPeople(context, typed);
    case "name": {
      const names = words(typed).map((word) => word.replace(/^@/, ""));
      return requireSome(
        names.filter((name) => name !== ""),
        "Give a name, such as alice.",
      );
    }
  }
}

function readPhrases(typed: string): string[] {
  const lines = typed.split(/\r\n?|\n/).map((line) => line.trim());
  const phrases = requireSome(
    lines.filter((line) => line !== ""),
    "Give a phrase, such as free airdrop.",
  );
  if (phrases.some((phrase) => phrase.length > maxPhrase))
    throw new AppError("invalid_input", `A phrase has at most ${maxPhrase} characters.`);
  if (phrases.some((phrase) => readText(phrase).folded.trim() === ""))
    throw new AppError("invalid_input", "A phrase has no visible characters, so it would match every text.");
  return phrases;
}

async function readPeople(context: CommandContext, typed: string): Promise<number[]> {
  const named = words(typed.replace(/\bfid[\s:]+(?=[0-9])/gi, ""));
  if (named.length > maxPeople)
    throw new AppError("invalid_input", `Give at most ${maxPeople} people at once.`);
  const fids: number[] = [];
  for (const one of requireSome(named, "Give a fid, a name (@alice) or a profile link.")) {
    fids.push((await findUser(context, one)).fid);
  }
  return [...new Set(fids)];
}

const words = (typed: string) => typed.split(/[\s,]+/).filter((word) => word !== "");

function requireSome<T>(values: readonly T[], message: string): T[] {
  if (values.length === 0) throw new AppError("invalid_input", message);
  return [...new Set(values)];
}
