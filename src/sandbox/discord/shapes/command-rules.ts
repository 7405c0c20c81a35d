import type { FormIssue } from "../discord-error.ts";
import { commandType, optionType } from "../numbers.ts";
import type { CommandBody, Option, ValueOption } from "./command.ts";

type Path = readonly (string | number)[];
type Localized = Partial<Record<string, string>> | null | undefined;

/** How many commands of a type one scope may hold. */
const commandLimits = [
  { type: commandType.chat, limit: 100 },
  { type: commandType.user, limit: 15 },
  { type: commandType.message, limit: 15 },
];

/** Rules over the whole list of a bulk overwrite. */
export function* commandListIssues(commands: readonly CommandBody[]): Iterable<FormIssue> {
  const seen = new Set<string>();
  for (const [index, command] of commands.entries()) {
    const key = `${command.type} ${command.name}`;
    if (seen.has(key)) {
      const message = "Application command names must be unique";
      yield { path: [index, "name"], code: "APPLICATION_COMMANDS_DUPLICATE_NAME", message };
    }
    seen.add(key);
    yield* commandIssues(command, [index]);
  }
  for (const { type, limit } of commandLimits) {
    if (commands.filter((command) => command.type === type).length > limit) {
      const message = `Maximum number of application commands reached (${limit}).`;
      yield { path: [], code: "APPLICATION_COMMANDS_TYPE_LIMIT_REACHED", message };
    }
  }
}

/** Rules across the fields of one command. */
export function* commandIssues(command: CommandBody, path: Path = []): Iterable<FormIssue> {
  if (command.type !== commandType.chat) return;
  if (commandSize(command) > 8000) {
    yield { path, code: "APPLICATION_COMMAND_TOO_LARGE", message: "Command exceeds maximum size (8000)" };
  }
  yield* optionListIssues(command.options ?? [], [...path, "options"]);
}

function* optionListIssues(options: readonly Option[], path: Path): Iterable<FormIssue> {
  const names = new Set<string>();
  let optionalSeen = false;
  const nested = options.filter((option) => option.type <= optionType.subcommandGroup).length;
  if (nested > 0 && nested < options.length) {
    const message =
      "Sub-command and sub-command group option types are mutually exclusive to all other types";
    yield { path, code: "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message };
  }
  for (const [index, option] of options.entries()) {
    const here = [...path, index];
    if (names.has(option.name)) {
      const message = "Option names must be unique";
      yield { path: [...here, "name"], code: "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", message };
    }
    names.add(option.name);
    if (option.type === 1 || option.type === 2) {
      yield* optionListIssues(option.options ?? [], [...here, "options"]);
      continue;
    }
    if (option.required && optionalSeen) {
      const message = "Required options must be placed before non-required options";
      yield { path: here, code: "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message };
    }
    optionalSeen ||= !option.required;
    yield* valueOptionIssues(option, here);
  }
}

const suggestible: readonly number[] = [optionType.string, optionType.integer, optionType.number];

function* valueOptionIssues(option: ValueOption, path: Path): Iterable<FormIssue> {
  if (option.autocomplete && option.choices?.length) {
    const message = "Autocomplete cannot be set to true if choices are present";
    yield { path: [...path, "autocomplete"], code: "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", message };
  }
  if ((option.autocomplete || option.choices?.length) && !suggestible.includes(option.type)) {
    const message = "Only string, integer and number options can have choices or autocomplete";
    yield { path: [...path, "type"], code: "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message };
  }
  const wanted = option.type === optionType.string ? "string" : "number";
  const values = new Set<string | number>();
  for (const [index, choice] of (option.choices ?? []).entries()) {
    const here = [...path, "choices", index, "value"];
    if (typeof choice.value !== wanted) {
      yield {
        path: here,
        code: "APPLICATION_COMMAND_INVALID_CHOICE_VALUE",
        message: `Value is not a ${wanted}.`,
      };
    }
    if (values.has(choice.value)) {
      yield {
        path: here,
        code: "APPLICATION_COMMAND_CHOICE_VALUE_DUPLICATE",
        message: "Values must be unique",
      };
    }
    values.add(choice.value);
  }
}

/** Characters of names, descriptions and choice values, each counted with its longest localisation. */
export function commandSize(command: CommandBody): number {
  return command.type === commandType.chat
    ? textSize(command) + (command.options ?? []).reduce((sum, option) => sum + optionSize(option), 0)
    : longest(command.name, command.name_localizations);
}

function optionSize(option: Option): number {
  if (option.type === 1 || option.type === 2) {
    return textSize(option) + (option.options ?? []).reduce((sum, child) => sum + optionSize(child), 0);
  }
  const choices = (option.choices ?? []).map(
    (choice) => longest(choice.name, choice.name_localizations) + String(choice.value).length,
  );
  return textSize(option) + choices.reduce((sum, size) => sum + size, 0);
}

interface Described {
  name: string;
  name_localizations?: Localized;
  description: string;
  description_localizations?: Localized;
}

function textSize(text: Described): number {
  return (
    longest(text.name, text.name_localizations) + longest(text.description, text.description_localizations)
  );
}

function longest(text: string, localizations: Localized): number {
  return Math.max(text.length, ...Object.values(localizations ?? {}).map((other) => other?.length ?? 0));
}
