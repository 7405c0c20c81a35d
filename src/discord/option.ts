import { ApplicationCommandOptionType, ChannelType } from "discord.js";
import { AppError } from "../errors.ts";
import type { CommandContext } from "./command-context.ts";

/** What Discord sends for an option: text, number, flag, the id of a role or room, or a file. */
export type RawValue = string | number | boolean | AttachedFile;
export type RawValues = Readonly<Record<string, RawValue>>;

export interface AttachedFile {
  name: string;
  /** Bytes. */
  size: number;
  url: string;
}

export interface Choice {
  name: string;
  value: string;
}

/** An option of a command. Its `read` gives the type of the handler's argument. */
export interface Option<T> {
  type: ApplicationCommandOptionType;
  description: string;
  required: boolean;
  choices?: readonly Choice[];
  minValue?: number;
  maxValue?: number;
  maxLength?: number;
  channelTypes?: readonly ChannelType[];
  /** Turns what was sent (undefined when left out) into the argument; throws `invalid_input`. */
  read: (raw: RawValue | undefined, context: CommandContext) => T | Promise<T>;
  /** What to offer while the person types; `given` are the other options so far. */
  suggest?: Suggest;
}

export type Suggest = (typed: string, context: CommandContext, given: RawValues) => Promise<Choice[]>;

/** Options by their names in Discord: lower case with underscores. */
export type Options = Record<string, Option<unknown>>;

export type ArgumentsOf<O extends Options> = {
  [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

interface Declaration<R extends boolean> {
  description: string;
  required?: R;
}
type Presence<T, R extends boolean> = R extends true ? T : T | undefined;

/** An option whose raw value is of one JavaScript type. */
function plain<T extends RawValue, R extends boolean>(
  type: ApplicationCommandOptionType,
  declaration: Declaration<R>,
  isOfType: (raw: RawValue) => raw is T,
): Option<Presence<T, R>> {
  const { description, required = false } = declaration;
  const read = (raw: RawValue | undefined) => {
    if (raw === undefined && required) throw new AppError("invalid_input", `Missing: ${description}`);
    if (raw !== undefined && !isOfType(raw)) throw new AppError("invalid_input", `Not valid: ${description}`);
    // Absent only where it is not required, which is what Presence says.
    return raw as Presence<T, R>;
  };
  return { type, description, required, read };
}

const isText = (raw: RawValue) => typeof raw === "string";
const isFile = (raw: RawValue) => typeof raw === "object";

export function text<R extends boolean = false>(
  declaration: Declaration<R> & { maxLength?: number; suggest?: Suggest },
): Option<Presence<string, R>> {
  const { maxLength = 500, suggest } = declaration;
  const option = plain(ApplicationCommandOptionType.String, declaration, isText);
  return { ...option, maxLength, ...(suggest && { suggest }) };
}

/** One of a few fixed texts. */
export function oneOf<const V extends string, R extends boolean = false>(
  values: readonly V[],
  declaration: Declaration<R>,
): Option<Presence<V, R>> {
  const isListed = (raw: RawValue): raw is V => values.some((value) => value === raw);
  const option = plain(ApplicationCommandOptionType.String, declaration, isListed);
  return { ...option, choices: values.map((value) => ({ name: value.replaceAll("_", " "), value })) };
}

export function integer<R extends boolean = false>(
  declaration: Declaration<R> & { min: number; max: number },
): Option<Presence<number, R>> {
  const { min, max } = declaration;
  const fits = (raw: RawValue) => Number.isSafeInteger(raw) && Number(raw) >= min && Number(raw) <= max;
  const isInteger = (raw: RawValue): raw is number => fits(raw);
  const option = plain(ApplicationCommandOptionType.Integer, declaration, isInteger);
  return { ...option, minValue: min, maxValue: max };
}

/** Yes or no; no when left out. */
export function flag(description: string): Option<boolean> {
  return {
    type: ApplicationCommandOptionType.Boolean,
    description,
    required: false,
    read: (raw) => raw === true,
  };
}

/** A Discord role, by id. */
export function role<R extends boolean = false>(declaration: Declaration<R>): Option<Presence<string, R>> {
  return plain(ApplicationCommandOptionType.Role, declaration, isText);
}

/** A Discord text channel, by id. */
export function room<R extends boolean = false>(declaration: Declaration<R>): Option<Presence<string, R>> {
  const option = plain(ApplicationCommandOptionType.Channel, declaration, isText);
  return { ...option, channelTypes: [ChannelType.GuildText, ChannelType.GuildAnnouncement] };
}

export function attachment<R extends boolean = false>(
  declaration: Declaration<R>,
): Option<Presence<AttachedFile, R>> {
  return plain(ApplicationCommandOptionType.Attachment, declaration, isFile);
}
