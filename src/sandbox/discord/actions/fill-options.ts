import { ApplicationCommandOptionType as OptionType } from "discord-api-types/v10";
import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import { storeFile } from "../messages/attachments.ts";
import type { ValueOption } from "../shapes/command.ts";
import type { Attachment, World } from "../world/world.ts";
import type { NamedThings } from "./dispatch-interaction.ts";
import { findPerson, findPlace } from "./find.ts";

export interface GivenFile {
  filename: string;
  contentType: string;
  content: Buffer;
}

export type GivenValue = string | number | boolean | GivenFile;
export type GivenOptions = Readonly<Record<string, GivenValue>>;

export interface FilledOption {
  name: string;
  type: OptionType;
  value: string | number | boolean;
  focused?: true;
}

/** Turns a person's input into the options that the bot receives. Throws if Discord's own client would not send it. */
export function fillOptions(
  context: Context,
  options: readonly ValueOption[],
  given: GivenOptions,
): { filled: FilledOption[]; things: NamedThings } {
  for (const name of Object.keys(given)) {
    if (!options.some((option) => option.name === name)) {
      throw new AppError("invalid_input", `The command has no option called ${name}.`);
    }
  }
  const missing = options.find((option) => option.required && given[option.name] === undefined);
  if (missing) throw new AppError("invalid_input", `Please fill in ${missing.name}.`);
  const files: Attachment[] = [];
  const filled = options.flatMap((option): FilledOption[] => {
    const { name, type } = option;
    const value = given[name];
    if (value === undefined) return [];
    if (type !== OptionType.Attachment) {
      return [{ name, type, value: readValue(context.world, option, value) }];
    }
    if (typeof value !== "object") throw new AppError("invalid_input", `${name} is a file.`);
    const file = storeFile(context, value, value.filename, null, false);
    files.push(file);
    return [{ name, type, value: file.id }];
  });
  const idsOf = (...types: OptionType[]) =>
    filled.filter(({ type }) => types.includes(type)).map(({ value }) => String(value));
  const userIds = idsOf(OptionType.User, OptionType.Mentionable);
  const things = { userIds, roomIds: idsOf(OptionType.Channel), roleIds: idsOf(OptionType.Role), files };
  return { filled, things };
}

/** The input so far. The focused option is passed unchanged. */
export function draftOptions(
  context: Context,
  options: readonly ValueOption[],
  given: GivenOptions,
  focused: string,
): FilledOption[] {
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => name !== focused));
  const optional = options.map((option) => ({ ...option, required: false }));
  const { filled } = fillOptions(context, optional, others);
  const option = options.find(({ name }) => name === focused);
  if (!option?.autocomplete) throw new AppError("invalid_input", `${focused} has no suggestions.`);
  return [...filled, { name: focused, type: option.type, value: plain(given[focused] ?? ""), focused: true }];
}

function plain(value: GivenValue): string | number | boolean {
  return typeof value === "object" ? value.filename : value;
}

function readValue(world: World, option: ValueOption, value: GivenValue): FilledOption["value"] {
  const text = String(plain(value)).trim();
  switch (option.type) {
    case OptionType.Boolean:
      return text === "true";
    case OptionType.Integer:
    case OptionType.Number:
      return readNumber(option, text);
    case OptionType.User:
    case OptionType.Mentionable:
      return findPerson(world, text.replace(/^@/, "")).id;
    case OptionType.Channel:
      return findPlace(world, text.replace(/^#/, "")).room.id;
    case OptionType.Role:
      return findRoleId(world, text);
    case OptionType.String:
    case OptionType.Attachment:
      return readText(option, text);
  }
}

function readNumber(option: ValueOption, text: string): number {
  const number = Number(text);
  const whole = option.type === OptionType.Number || Number.isSafeInteger(number);
  if (text === "" || !Number.isFinite(number) || !whole) {
    throw new AppError("invalid_input", `${option.name} is a ${whole ? "number" : "whole number"}.`);
  }
  const { min_value: least, max_value: most } = option;
  if (least != null && number < least)
    throw new AppError("invalid_input", `${option.name} is at least ${least}.`);
  if (most != null && number > most)
    throw new AppError("invalid_input", `${option.name} is at most ${most}.`);
  return readChoice(option, number);
}

function readText(option: ValueOption, text: string): string {
  const { min_length: least = 0, max_length: most = 6000 } = option;
  if (text.length < (least ?? 0)) throw new AppError("invalid_input", `${option.name} is too short.`);
  if (text.length > (most ?? 6000)) throw new AppError("invalid_input", `${option.name} is too long.`);
  return readChoice(option, text);
}

function readChoice<T extends string | number>(option: ValueOption, value: T): T {
  if (option.choices?.length && !option.choices.some((choice) => choice.value === value)) {
    throw new AppError("invalid_input", `${option.name} is one of the choices.`);
  }
  return value;
}

function findRoleId(world: World, text: string): string {
  const roles = [...world.guilds.values()].flatMap((guild) => guild.roles);
  const role = roles.find(({ id, name }) => id === text || name === text.replace(/^@(?!everyone)/, ""));
  if (!role) throw new AppError("invalid_input", `There is no role called ${text}.`);
  return role.id;
}
