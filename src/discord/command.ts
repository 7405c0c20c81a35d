import { ApplicationCommandOptionType, ChannelType } from "discord.js";
import type { z } from "zod";
import { AppError } from "../errors.ts";
import type { CommandContext } from "./command-context.ts";
import type { Needs } from "./needs.ts";
import { readState } from "./prompts.ts";
import { countPoints } from "../text/message-text.ts";
import type { View } from "./view.ts";

/** A slash command: subcommands by name, or a single handler, which describes it. */
export type Command = {
  name: string;
  /** Handles its buttons in rooms, for anyone who clicks them. */
  onButton?: ButtonHandler;
} & ({ description: string; subcommands: Record<string, Handler> } | { handler: Handler });

export interface ButtonHandler {
  /** The permission for using any of the buttons. The handler still checks permissions. */
  needs: Needs;
  /** Whether the buttons also work in the console. */
  console?: true;
  /** Answers a click with the message's new content, or with a message that only the clicker sees, like errors. */
  click(context: CommandContext, words: readonly string[]): Promise<View | Ephemeral>;
}

/** The part that only the person who clicked sees. */
export interface Ephemeral {
  ephemeral: View;
}

/**
 * The implementation of one command. Made by `answer`, `confirm` and `listing`, which know the types of the arguments;
 * dispatch parses these from the same options.
 */
export type Handler = AnswerHandler | ConfirmHandler | FormHandler | ListingHandler;

interface Declared<O extends Options = Options> {
  description: string;
  /** The permission for using it, which determines who is offered it. The handler still checks permissions. */
  needs: Needs;
  /** Whether it also runs in the console, which has no rooms, files or forms. */
  console?: true;
  options: O;
}

interface AnswerHandler extends Declared {
  kind: "answer";
  run(context: CommandContext, args: ArgumentsOf<Options>): Promise<View>;
}

/** Shown before anything is done. With `state` it has Confirm and Cancel buttons, and Confirm acts on it. */
export interface Preview<State> {
  view: View;
  /** Absent if there is nothing to confirm: the view is the answer, or reports what was done at once. */
  state?: State;
  /** The button's label, if it differs from the handler's. */
  confirmLabel?: string;
  /** Several answers, instead of `state` and one Confirm. */
  question?: Question<State>;
}

/** The buttons under a preview. Only the first click counts, except that a form can be closed again. */
export interface Question<State> {
  /** Each acts at once, or opens a form first. */
  answers: readonly (LabeledForm | { label: string; state: State })[];
  /** Each shows the preview again, as if these options had been typed. */
  changes: readonly (LabeledForm | { label: string; raw: RawValues })[];
  /** The same, in a menu. */
  menu?: { placeholder: string; options: readonly Possibility[] } | undefined;
}

/** A form for some of the command's options; its state has the others. */
export interface LabeledForm {
  label: string;
  form: Form<RawValues>;
}

/** A possible choice, and the options that it adds to the typed ones. */
export interface Possibility {
  label: string;
  description?: string;
  raw: RawValues;
}

export interface ConfirmHandler extends Declared {
  kind: "confirm";
  confirmLabel: string;
  preview(context: CommandContext, args: ArgumentsOf<Options>): Promise<Preview<unknown>>;
  /** Runs after the click, possibly after a restart. It reads everything again and does not rely on the preview. */
  act(context: CommandContext, state: unknown): Promise<View>;
}

/** A form that is filled in before the preview; `state` is stored with it. */
export interface Form<State> {
  /** At most 45 characters. */
  title: string;
  fields: Record<string, FormField>;
  state: State;
}

export interface FormField {
  /** At most 45 characters. */
  label: string;
  /** The field's initial text. */
  value: string;
  /** At most 4000. */
  maxLength: number;
  optional?: boolean | undefined;
  /** A single line. */
  short?: boolean | undefined;
}

/** Shows a form, then asks for confirmation like a ConfirmHandler. */
export interface FormHandler extends Declared, Pick<ConfirmHandler, "confirmLabel" | "act"> {
  kind: "form";
  /** Runs before Discord is answered, so it must be quick. Returns a view if there is nothing to fill in. */
  open(context: CommandContext, args: ArgumentsOf<Options>): Promise<Form<unknown> | { view: View }>;
  /** Throws `invalid_file` or `invalid_input` if the input is wrong, which can then be edited again. */
  preview(
    context: CommandContext,
    state: unknown,
    typed: Readonly<Record<string, string>>,
  ): Promise<Preview<unknown>>;
}

export interface ListPage {
  view: View;
  /** Where the next page begins; absent on the last. */
  next?: string;
}

export interface ListingHandler extends Declared {
  kind: "listing";
  page(context: CommandContext, args: ArgumentsOf<Options>, cursor: string | undefined): Promise<ListPage>;
}

/** Answers at once. */
export function answer<O extends Options>(
  declaration: Declared<O> & {
    run(context: CommandContext, args: ArgumentsOf<O>): Promise<View>;
  },
): Handler {
  return { kind: "answer", ...declaration };
}

/** Shows what it would do, and does it after a click on Confirm. */
export function confirm<O extends Options, S extends z.ZodType>(
  declaration: Declared<O> & {
    confirmLabel: string;
    /** The data for the click, stored in the database meanwhile. */
    state: S;
    preview(context: CommandContext, args: ArgumentsOf<O>): Promise<Preview<z.input<S>>>;
    act(context: CommandContext, state: z.output<S>): Promise<View>;
  },
): Handler {
  const { state: schema, ...rest } = declaration;
  return { ...rest, kind: "confirm", act: (context, stored) => rest.act(context, readState(schema, stored)) };
}

/** Shows a form, then what it would do, and does it after a click on Confirm. */
export function form<O extends Options, F extends z.ZodType, S extends z.ZodType>(
  declaration: Declared<O> & {
    confirmLabel: string;
    /** The data for the filled form. */
    formState: F;
    state: S;
    open(context: CommandContext, args: ArgumentsOf<O>): Promise<Form<z.input<F>> | { view: View }>;
    preview(
      context: CommandContext,
      state: z.output<F>,
      typed: Readonly<Record<string, string>>,
    ): Promise<Preview<z.input<S>>>;
    act(context: CommandContext, state: z.output<S>): Promise<View>;
  },
): FormHandler {
  const { formState, state: schema, ...rest } = declaration;
  return {
    ...rest,
    kind: "form",
    preview: (context, stored, typed) => rest.preview(context, readState(formState, stored), typed),
    act: (context, stored) => rest.act(context, readState(schema, stored)),
  };
}

/** Lists page by page, with buttons. */
export function listing<O extends Options>(
  declaration: Declared<O> & {
    page(context: CommandContext, args: ArgumentsOf<O>, cursor: string | undefined): Promise<ListPage>;
  },
): Handler {
  return { kind: "listing", ...declaration };
}

/** The value that Discord sends for an option: text, number, flag, the id of a role or room, or a file. */
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
  /** By Discord's names of languages. */
  nameLocalizations?: Readonly<Record<string, string>> | undefined;
  /** A number if the option is one. */
  value: string | number;
}

/** An option of a command. The type of `read` is the type of the handler's argument. */
export interface Option<T> {
  type: ApplicationCommandOptionType;
  description: string;
  required: boolean;
  choices?: readonly Choice[];
  minValue?: number;
  maxValue?: number;
  maxLength?: number;
  channelTypes?: readonly ChannelType[];
  /** Parses the sent value (undefined if omitted) into the argument. Throws `invalid_input`. */
  read: (raw: RawValue | undefined, context: CommandContext) => T | Promise<T>;
  /** Suggestions while the person types; `given` has the other options so far. */
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

/** An option whose raw value has one JavaScript type. */
function plain<T extends RawValue, R extends boolean>(
  type: ApplicationCommandOptionType,
  declaration: Declaration<R>,
  isOfType: (raw: RawValue) => raw is T,
): Option<Presence<T, R>> {
  const { description, required = false } = declaration;
  const read = (raw: RawValue | undefined) => {
    if (raw === undefined && required) throw new AppError("invalid_input", `Missing: ${description}`);
    if (raw !== undefined && !isOfType(raw)) throw new AppError("invalid_input", `Not valid: ${description}`);
    // Absent only if it is not required, which Presence expresses.
    return raw as Presence<T, R>;
  };
  return { type, description, required, read };
}

const isText = (raw: RawValue) => typeof raw === "string";
const isFile = (raw: RawValue) => typeof raw === "object";

export function text<R extends boolean = false>(
  declaration: Declaration<R> & { maxLength?: number; suggest?: Suggest | undefined },
): Option<Presence<string, R>> {
  const { maxLength = 500, suggest } = declaration;
  // Discord sends no longer texts, but a page can.
  const isFitting = (raw: RawValue): raw is string => isText(raw) && countPoints(raw) <= maxLength;
  const option = plain(ApplicationCommandOptionType.String, declaration, isFitting);
  return { ...option, maxLength, ...(suggest && { suggest }) };
}

/** An option that is typed as text and parsed into something else. An omitted one stays undefined. */
export function parsed<T, R extends boolean = false>(
  declaration: Parameters<typeof text<R>>[0],
  parse: (typed: string, context: CommandContext) => T | Promise<T>,
): Option<Presence<T, R>> {
  const raw = text(declaration);
  return {
    ...raw,
    async read(value, context) {
      const typed = await raw.read(value, context);
      // Absent only if it is not required, which Presence expresses.
      return (typed === undefined ? undefined : await parse(typed, context)) as Presence<T, R>;
    },
  };
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
  declaration: Declaration<R> & { min: number; max: number; suggest?: Suggest },
): Option<Presence<number, R>> {
  const { min, max, suggest } = declaration;
  const fits = (raw: RawValue) => Number.isSafeInteger(raw) && Number(raw) >= min && Number(raw) <= max;
  const isInteger = (raw: RawValue): raw is number => fits(raw);
  const option = plain(ApplicationCommandOptionType.Integer, declaration, isInteger);
  return { ...option, minValue: min, maxValue: max, ...(suggest && { suggest }) };
}

/** Yes or no; no if omitted. */
export function flag(description: string): Option<boolean> {
  return {
    type: ApplicationCommandOptionType.Boolean,
    description,
    required: false,
    read: (raw) => raw === true,
  };
}

/** Yes, no, or omitted. */
export function yesOrNo(description: string): Option<boolean | undefined> {
  return plain(ApplicationCommandOptionType.Boolean, { description }, (raw) => typeof raw === "boolean");
}

/** A Discord user, by id. */
export function person<R extends boolean = false>(declaration: Declaration<R>): Option<Presence<string, R>> {
  return plain(ApplicationCommandOptionType.User, declaration, isText);
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
