import { CommandType, OptionType } from "../discord-types.js";

/** Every slash command that can be run, with its subcommands written out: "ban add". */
export function runnableCommands(commands) {
  return commands
    .filter((command) => command.type === CommandType.ChatInput)
    .flatMap((command) => spread(command.name, command));
}

function spread(path, { description, options = [] }) {
  const nested = (options ?? []).filter(
    (option) => option.type === OptionType.Subcommand || option.type === OptionType.SubcommandGroup,
  );
  if (nested.length > 0) return nested.flatMap((option) => spread(`${path} ${option.name}`, option));
  return [{ path, description, options: options ?? [] }];
}

/** Commands whose name has in it what was typed after the slash, the best first. */
export function findCommands(runnable, typed) {
  const wanted = typed.toLowerCase().trim();
  const rank = ({ path }) =>
    path.startsWith(wanted) ? 0 : path.split(" ").some((word) => word.startsWith(wanted)) ? 1 : 2;
  return runnable.filter(({ path }) => path.includes(wanted)).toSorted((a, b) => rank(a) - rank(b));
}

/**
 * A command typed as text: "/ban add user:@brook reason:two words", with what was given for each option. Null until its
 * name is complete, which white space after it shows.
 */
export function readTypedCommand(runnable, text) {
  const words = text.slice(1).split(/\s+/);
  const command = runnable.find(({ path }) => {
    const steps = path.split(" ");
    return steps.length < words.length && steps.every((step, index) => step === words[index]);
  });
  if (!command) return null;
  const { path, options } = command;
  const [name] = new RegExp(`^(?:\\S+\\s+){${path.split(" ").length}}`, "u").exec(text);
  const rest = text.slice(name.length).trim();
  const mistake = rest !== "" && options.length === 0 ? `/${path} takes no options.` : null;
  return { command, given: rest === "" ? {} : splitOptions(options, rest, options[0]?.name), mistake };
}

/**
 * Divides "name:value" pairs; a value goes on until the name of another option. Words before the first name belong to
 * the option `into`, as Discord gives them to the first.
 */
export function splitOptions(options, text, into) {
  const named = [...text.matchAll(/(?<=^|\s)([^\s:]+):/gu)].filter(([, found]) =>
    options.some(({ name }) => name === found),
  );
  const unnamed = text.slice(0, named[0]?.index);
  const pairs = named.map((match, at) => [
    match[1],
    text.slice(match.index + match[0].length, named[at + 1]?.index),
  ]);
  if (into && (unnamed.trim() !== "" || pairs.length === 0)) pairs.unshift([into, unnamed]);
  return Object.fromEntries(
    // Whoever types goes on at the end of the last value.
    pairs.map(([name, value], at) => [name, at === pairs.length - 1 ? value.trimStart() : value.trim()]),
  );
}

/** The name with which a value begins, where the command has no such option; an address is none. */
export function unknownOption(text) {
  return /^\s*(\p{L}[^\s:]*):(?!\/\/)/u.exec(text)?.[1] ?? null;
}

/** Why a text after a slash cannot be run. */
export function commandMistake(runnable, text) {
  const [name] = text.slice(1).split(/\s+/);
  const below = runnable.filter(({ path }) => path.startsWith(`${name} `));
  if (below.length === 0) return `There is no command /${name} here.`;
  return `/${name} needs a subcommand: ${below.map(({ path }) => path.slice(name.length + 1)).join(", ")}.`;
}
