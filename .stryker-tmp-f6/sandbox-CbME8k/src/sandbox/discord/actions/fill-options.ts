// @ts-nocheck
import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import { storeFile } from "../messages/attachments.ts";
import { optionType } from "../numbers.ts";
import type { ValueOption } from "../shapes/command.ts";
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
  type: number;
  value: string | number | boolean;
  focused?: true;
}

/** Brings what a person filled in to the form that the bot gets, as Discord's own client would let it pass. */
export function fillOptions(
  context: Context,
  options: readonly ValueOption[],
  given: GivenOptions,
): FilledOption[] {
  for (const name of Object.keys(given)) {
    if (!options.some((option) => option.name === name)) {
      throw new AppError("invalid_input", `The command takes no option called ${name}.`);
    }
  }
  const missing = options.find((option) => option.required && given[option.name] === undefined);
  if (missing) throw new AppError("invalid_input", `Please fill in ${missing.name}.`);
  return options.flatMap((option) => {
    const value = given[option.name];
    return value === undefined
      ? []
      : [{ name: option.name, type: option.type, value: readValue(context, option, value) }];
  });
}

/** What is typed so far; the focused option is whatever text it holds. */
export function draftOptions(
  context: Context,
  options: readonly ValueOption[],
  given: GivenOptions,
  focused: string,
): FilledOption[] {
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => name !== focused));
  const optional = options.map((option) => ({ ...option, required: false }));
  const filled = fillOptions(context, optional, others);
  const option = options.find(({ name }) => name === focused);
  if (!option?.autocomplete) throw new AppError("invalid_input", `${focused} has no suggestions.`);
  return [...filled, { name: focused, type: option.type, value: plain(given[focused] ?? ""), focused: true }];
}

function plain(value: GivenValue): string | number | boolean {
  return typeof value === "object" ? value.filename : value;
}

function readValue(context: Context, option: ValueOption, value: GivenValue): FilledOption["value"] {
  if (option.type === optionType.attachment) return readFile(context, option, value);
  const text = String(plain(value)).trim();
  switch (option.type) {
    case optionType.boolean:
      return text === "true";
    case optionType.integer:
    case optionType.number:
      return readNumber(option, text);
    case optionType.user:
    case optionType.mentionable:
      return findPerson(context.world, text.replace(/^@/, "")).id;
    case optionType.channel:
      return findPlace(context.world, text.replace(/^#/, "")).room.id;
    case optionType.role:
      return findRoleId(context, text);
    case optionType.string:
      return readText(option, text);
  }
}

function readFile(context: Context, option: ValueOption, value: GivenValue): string {
  if (typeof value !== "object") throw new AppError("invalid_input", `${option.name} is a file.`);
  return storeFile(context, value, value.filename, null, false).id;
}

function readNumber(option: ValueOption, text: string): number {
  const number = Number(text);
  const whole = option.type === optionType.number || Number.isSafeInteger(number);
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

function findRoleId({ world }: Context, text: string): string {
  const roles = [...world.guilds.values()].flatMap((guild) => guild.roles);
  const role = roles.find(({ id, name }) => id === text || name === text.replace(/^@(?!everyone)/, ""));
  if (!role) throw new AppError("invalid_input", `There is no role called ${text}.`);
  return role.id;
}
