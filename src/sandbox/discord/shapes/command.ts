import {
  ApplicationCommandOptionType as OptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  EntryPointCommandHandlerType,
  InteractionContextType,
  Locale,
} from "discord-api-types/v10";
import { z } from "zod";
import type { FormIssue } from "../discord-error.ts";

const chatName = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

const Name = z.string().refine((name) => chatName.test(name) && name === name.toLowerCase(), {
  error: "Command name is invalid",
  params: { code: "APPLICATION_COMMAND_INVALID_NAME" },
});
const Description = z.string().min(1).max(100);

/** A text in other languages than the default one. */
const inLanguages = (text: z.ZodType<string>) => z.partialRecord(z.enum(Locale), text.nullish()).nullish();

const localized = {
  name_localizations: inLanguages(Name),
  description_localizations: inLanguages(Description),
};

const ChoiceName = z.string().min(1).max(100);

const Choice = z.object({
  name: ChoiceName,
  name_localizations: inLanguages(ChoiceName),
  value: z.union([z.string().max(100), z.number()]),
});
export type Choice = z.infer<typeof Choice>;

/** The response to an autocomplete interaction. */
export const ChoiceList = z.object({ choices: z.array(Choice).max(25) });

const ValueOption = z.object({
  name: Name,
  description: Description,
  ...localized,
  type: z.literal([
    OptionType.String,
    OptionType.Integer,
    OptionType.Boolean,
    OptionType.User,
    OptionType.Channel,
    OptionType.Role,
    OptionType.Mentionable,
    OptionType.Number,
    OptionType.Attachment,
  ]),
  required: z.boolean().nullish(),
  choices: z.array(Choice).max(25).nullish(),
  autocomplete: z.boolean().nullish(),
  channel_types: z.array(z.int()).nullish(),
  min_value: z.number().nullish(),
  max_value: z.number().nullish(),
  min_length: z.int().min(0).max(6000).nullish(),
  max_length: z.int().min(1).max(6000).nullish(),
});
export type ValueOption = z.infer<typeof ValueOption>;

const Subcommand = z.object({
  name: Name,
  description: Description,
  ...localized,
  type: z.literal(OptionType.Subcommand),
  options: z.array(ValueOption).max(25).nullish(),
});

const SubcommandGroup = z.object({
  name: Name,
  description: Description,
  ...localized,
  type: z.literal(OptionType.SubcommandGroup),
  options: z.array(Subcommand).min(1).max(25),
});

const Option = z.discriminatedUnion("type", [Subcommand, SubcommandGroup, ValueOption]);
export type Option = z.infer<typeof Option>;

const commandFields = {
  default_member_permissions: z
    .string()
    .regex(/^\d{1,20}$/)
    .nullish(),
  dm_permission: z.boolean().nullish(),
  contexts: z.array(z.enum(InteractionContextType)).nullish(),
  integration_types: z.array(z.enum(ApplicationIntegrationType)).nullish(),
  nsfw: z.boolean().nullish(),
};

const ChatCommand = z.object({
  ...commandFields,
  type: z.literal(ApplicationCommandType.ChatInput),
  name: Name,
  description: Description,
  ...localized,
  options: z.array(Option).max(25).nullish(),
});

const MenuName = z.string().min(1).max(32);

const MenuCommand = z.object({
  ...commandFields,
  type: z.literal([ApplicationCommandType.User, ApplicationCommandType.Message]),
  name: MenuName,
  name_localizations: inLanguages(MenuName),
  description: z.literal("", "Context menu commands cannot have description").nullish(),
  options: z.array(z.never()).max(0).nullish(),
});

/** The "Launch" command of an application with Activities, which Discord creates. */
const EntryPointCommand = z.object({
  ...commandFields,
  type: z.literal(ApplicationCommandType.PrimaryEntryPoint),
  name: z.string().min(1).max(32),
  description: z.string().max(100).nullish(),
  handler: z.enum(EntryPointCommandHandlerType).nullish(),
  options: z.array(z.never()).max(0).nullish(),
});

function withDefaultType(body: unknown): unknown {
  return typeof body === "object" && body !== null && !("type" in body)
    ? { ...body, type: ApplicationCommandType.ChatInput }
    : body;
}

/** The body that creates an application command. Without a type it is a slash command. */
export const CommandBody = z.preprocess(
  withDefaultType,
  z.discriminatedUnion("type", [ChatCommand, MenuCommand, EntryPointCommand]),
);
export type CommandBody = z.infer<typeof CommandBody>;

/** Whether an option contains others: a subcommand or a subcommand group. */
export function isNested(option: Option): option is Exclude<Option, ValueOption> {
  return option.type === OptionType.Subcommand || option.type === OptionType.SubcommandGroup;
}

type Path = readonly (string | number)[];

/** Maximum number of commands of a type in one scope. */
const commandLimits = [
  { type: ApplicationCommandType.ChatInput, limit: 100 },
  { type: ApplicationCommandType.User, limit: 15 },
  { type: ApplicationCommandType.Message, limit: 15 },
];

/** Rules for the whole list of a bulk overwrite. */
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
  if (command.type !== ApplicationCommandType.ChatInput) return;
  if (sizeOf(command) > 8000) {
    yield { path, code: "APPLICATION_COMMAND_TOO_LARGE", message: "Command exceeds maximum size (8000)" };
  }
  yield* optionListIssues(command.options ?? [], [...path, "options"]);
}

function* optionListIssues(options: readonly Option[], path: Path): Iterable<FormIssue> {
  const names = new Set<string>();
  let optionalSeen = false;
  const nested = options.filter(isNested).length;
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
    if (isNested(option)) {
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

const suggestible: readonly number[] = [OptionType.String, OptionType.Integer, OptionType.Number];

function* valueOptionIssues(option: ValueOption, path: Path): Iterable<FormIssue> {
  if (option.autocomplete && option.choices?.length) {
    const message = "Autocomplete cannot be set to true if choices are present";
    yield { path: [...path, "autocomplete"], code: "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", message };
  }
  if ((option.autocomplete || option.choices?.length) && !suggestible.includes(option.type)) {
    const message = "Only string, integer and number options can have choices or autocomplete";
    yield { path: [...path, "type"], code: "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message };
  }
  const wanted = option.type === OptionType.String ? "string" : "number";
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

/** Characters of names, descriptions and choice values; of a text in several languages, the maximum. */
function sizeOf(described: z.infer<typeof ChatCommand> | Option): number {
  const choices = "choices" in described ? (described.choices ?? []) : [];
  const options = "options" in described ? (described.options ?? []) : [];
  return [
    maxLength(described.name, described.name_localizations),
    maxLength(described.description, described.description_localizations),
    ...choices.map((one) => maxLength(one.name, one.name_localizations) + String(one.value).length),
    ...options.map(sizeOf),
  ].reduce((sum, size) => sum + size);
}

function maxLength(text: string, others: z.infer<typeof localized.name_localizations>): number {
  return Math.max(...[text, ...Object.values(others ?? {})].map((one) => one?.length ?? 0));
}
