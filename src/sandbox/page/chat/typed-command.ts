import type { Option, ValueOption } from "../../discord/shapes/command.ts";
import type { Command } from "../../discord/world/world.ts";
import { CommandType, OptionType } from "../discord-types.ts";

/** A command without subcommands: "ban add". */
export interface Runnable<O extends { name: string } = ValueOption> {
  path: string;
  description: string;
  options: readonly O[];
}

/** A command that was typed, with what was given for each of its options. */
export interface Typed<O extends { name: string } = ValueOption> {
  command: Runnable<O>;
  given: Readonly<Record<string, string>>;
  mistake?: string | null;
}

/** Every slash command that can be run, with its subcommands written out. */
export function runnableCommands(commands: readonly Command[]): Runnable[] {
  return commands
    .filter((command) => command.type === CommandType.ChatInput)
    .flatMap((command) => spread(command.name, command));
}

/** What may have subcommands. */
interface Parent {
  description?: string | null | undefined;
  options?: readonly Option[] | null | undefined;
}

function spread(path: string, { description, options }: Parent): Runnable[] {
  const all = options ?? [];
  const nested = all.filter(isNested);
  if (nested.length > 0) return nested.flatMap((option) => spread(`${path} ${option.name}`, option));
  return [{ path, description: description ?? "", options: all.filter((option) => !isNested(option)) }];
}

function isNested(option: Option): option is Exclude<Option, ValueOption> {
  return option.type === OptionType.Subcommand || option.type === OptionType.SubcommandGroup;
}

/** Commands whose name has in it what was typed after the slash, the best first. */
export function findCommands<R extends Pick<Runnable, "path">>(runnable: readonly R[], typed: string): R[] {
  const wanted = typed.toLowerCase().trim();
  const rank = ({ path }: R) =>
    path.startsWith(wanted) ? 0 : path.split(" ").some((word) => word.startsWith(wanted)) ? 1 : 2;
  return runnable.filter(({ path }) => path.includes(wanted)).toSorted((a, b) => rank(a) - rank(b));
}

/**
 * A command typed as text: "/ban add user:@brook reason:two words", with what was given for each option. Null until its
 * name is complete, which white space after it shows.
 */
export function readTypedCommand<O extends { name: string }>(
  runnable: readonly Runnable<O>[],
  text: string,
): Typed<O> | null {
  const words = text.slice(1).split(/\s+/);
  const command = runnable.find(({ path }) => {
    const steps = path.split(" ");
    return steps.length < words.length && steps.every((step, index) => step === words[index]);
  });
  if (!command) return null;
  const { path, options } = command;
  const [name = ""] = new RegExp(`^(?:\\S+\\s+){${path.split(" ").length}}`, "u").exec(text) ?? [];
  const rest = text.slice(name.length).trim();
  const mistake = rest !== "" && options.length === 0 ? `/${path} takes no options.` : null;
  return { command, given: rest === "" ? {} : splitOptions(options, rest, options[0]?.name), mistake };
}

/**
 * Divides "name:value" pairs; a value goes on until the name of another option. Words before the first name belong to
 * the option `into`, as Discord gives them to the first.
 */
export function splitOptions(
  options: readonly { name: string }[],
  text: string,
  into: string | undefined,
): Record<string, string> {
  const named = [...text.matchAll(/(?<=^|\s)([^\s:]+):/gu)].filter(([, found]) =>
    options.some(({ name }) => name === found),
  );
  const unnamed = text.slice(0, named[0]?.index);
  const pairs = named.map((match, at): [name: string, value: string] => {
    const [whole, name = ""] = match;
    return [name, text.slice(match.index + whole.length, named[at + 1]?.index)];
  });
  if (into && (unnamed.trim() !== "" || pairs.length === 0)) pairs.unshift([into, unnamed]);
  return Object.fromEntries(
    // Whoever types goes on at the end of the last value.
    pairs.map(([name, value], at) => [name, at === pairs.length - 1 ? value.trimStart() : value.trim()]),
  );
}

/** The name with which a value begins, where the command has no such option; an address is none. */
export function unknownOption(text: string): string | null {
  return /^\s*(\p{L}[^\s:]*):(?!\/\/)/u.exec(text)?.[1] ?? null;
}

/** Why a text after a slash cannot be run. */
export function commandMistake(runnable: readonly Pick<Runnable, "path">[], text: string): string {
  const [name = ""] = text.slice(1).split(/\s+/);
  const below = runnable.filter(({ path }) => path.startsWith(`${name} `));
  if (below.length === 0) return `There is no command /${name} here.`;
  return `/${name} needs a subcommand: ${below.map(({ path }) => path.slice(name.length + 1)).join(", ")}.`;
}
