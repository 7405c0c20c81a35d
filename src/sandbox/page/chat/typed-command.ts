import type { Option, ValueOption } from "../../discord/shapes/command.ts";
import type { Command } from "../../discord/world/world.ts";
import { CommandType, OptionType } from "../discord-types.ts";

/** A command without subcommands: "ban". */
export interface Runnable<O extends { name: string } = ValueOption> {
  path: string;
  description: string;
  options: readonly O[];
}

/** A typed command with the values of its options. */
export interface Typed<O extends { name: string } = ValueOption> {
  command: Runnable<O>;
  given: Readonly<Record<string, string>>;
  mistake?: string | null;
}

/** Every slash command that can be run, including subcommands. */
export function runnableCommands(commands: readonly Command[]): Runnable[] {
  return commands
    .filter((command) => command.type === CommandType.ChatInput)
    .flatMap((command) => spread(command.name, command));
}

/** A command that can have subcommands. */
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

/** Commands whose name contains the text after the slash, best matches first. */
export function findCommands<R extends Pick<Runnable, "path">>(runnable: readonly R[], typed: string): R[] {
  const wanted = typed.toLowerCase().trim();
  const rank = ({ path }: R) =>
    path.startsWith(wanted) ? 0 : path.split(" ").some((word) => word.startsWith(wanted)) ? 1 : 2;
  return runnable.filter(({ path }) => path.includes(wanted)).toSorted((a, b) => rank(a) - rank(b));
}

/**
 * A command typed as text: "/ban user:@brook reason:two words", with the values of its options. Null until its
 * name is complete and followed by white space.
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
 * Splits "name:value" pairs. A value ends at the next option's name. Words before the first name belong to the option
 * `into`, as Discord assigns them to the first option.
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
    // Typing continues at the end of the last value.
    pairs.map(([name, value], at) => [name, at === pairs.length - 1 ? value.trimStart() : value.trim()]),
  );
}

/** The name at the start of a value that is not an option of the command. An address does not count. */
export function unknownOption(text: string): string | null {
  return /^\s*(\p{L}[^\s:]*):(?!\/\/)/u.exec(text)?.[1] ?? null;
}

/** Returns why a text after a slash cannot be run. */
export function commandMistake(runnable: readonly Pick<Runnable, "path">[], text: string): string {
  const [name = ""] = text.slice(1).split(/\s+/);
  const below = runnable.filter(({ path }) => path.startsWith(`${name} `));
  if (below.length === 0) return `There is no command /${name} here.`;
  return `/${name} needs a subcommand: ${below.map(({ path }) => path.slice(name.length + 1)).join(", ")}.`;
}
