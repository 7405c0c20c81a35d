import { z } from "zod";
import { commandType } from "../numbers.ts";

const chatName = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

const locales =
  "id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko".split(
    " ",
  );
const Locale = z.enum(locales);
const Name = z.string().refine((name) => chatName.test(name) && name === name.toLowerCase(), {
  error: "Command name is invalid",
  params: { code: "APPLICATION_COMMAND_INVALID_NAME" },
});
const Description = z.string().min(1).max(100);

function localized<T extends z.ZodType>(text: T) {
  return z.partialRecord(Locale, text).nullish();
}

const Choice = z.object({
  name: z.string().min(1).max(100),
  name_localizations: localized(z.string().min(1).max(100)),
  value: z.union([z.string().max(100), z.number()]),
});
export type Choice = z.infer<typeof Choice>;

/** The answer to an autocomplete interaction. */
export const ChoiceList = z.object({ choices: z.array(Choice).max(25) });

const optionFields = {
  name: Name,
  name_localizations: localized(Name),
  description: Description,
  description_localizations: localized(Description),
};

const ValueOption = z.object({
  ...optionFields,
  type: z.literal([3, 4, 5, 6, 7, 8, 9, 10, 11]),
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
  ...optionFields,
  type: z.literal(1),
  options: z.array(ValueOption).max(25).nullish(),
});
export type Subcommand = z.infer<typeof Subcommand>;

const SubcommandGroup = z.object({
  ...optionFields,
  type: z.literal(2),
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
  contexts: z.array(z.literal([0, 1, 2])).nullish(),
  integration_types: z.array(z.literal([0, 1])).nullish(),
  nsfw: z.boolean().nullish(),
};

const ChatCommand = z.object({
  ...optionFields,
  ...commandFields,
  type: z.literal(commandType.chat),
  options: z.array(Option).max(25).nullish(),
});

const MenuName = z.string().min(1).max(32);

const MenuCommand = z.object({
  ...commandFields,
  type: z.literal([commandType.user, commandType.message]),
  name: MenuName,
  name_localizations: localized(MenuName),
  description: z.literal("", "Context menu commands cannot have description").nullish(),
  options: z.array(z.never()).max(0).nullish(),
});

function withDefaultType(body: unknown): unknown {
  return typeof body === "object" && body !== null && !("type" in body)
    ? { ...body, type: commandType.chat }
    : body;
}

/** The body that creates an application command; without a type it is a slash command. */
export const CommandBody = z.preprocess(
  withDefaultType,
  z.discriminatedUnion("type", [ChatCommand, MenuCommand]),
);
export type CommandBody = z.infer<typeof CommandBody>;

export const CommandBodies = z.array(CommandBody);
