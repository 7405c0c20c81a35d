import { findNear, suggest } from "../text/suggest.ts";

/** A command as it is written. */
export interface WrittenCommand {
  /** What follows "castellan". */
  words: string;
  /** The arguments, as usage shows them. A command with options reads them itself, and says what is wrong with them. */
  takes?: string;
  summary: string;
}

export function wordsOf({ words }: WrittenCommand): string[] {
  return words.split(" ");
}

export function writtenAs({ words, takes = "" }: WrittenCommand): string {
  return `castellan ${words} ${takes}`.trimEnd();
}

/** Columns of what is written; the summary of a longer one stands below it. */
const column = 36;

function lineOf(command: WrittenCommand): string {
  const written = writtenAs(command);
  const gap = written.length > column ? `\n${" ".repeat(column)}` : " ".repeat(column - written.length);
  return `${written}${gap}  ${command.summary}\n`;
}

function usage(commands: readonly WrittenCommand[]): string {
  return `${commands.map(lineOf).join("")}Settings come from the environment; .env.example explains each.\n`;
}

/** How the command or group of these words is written, whatever arguments follow; undefined where there is none. */
export function helpFor(commands: readonly WrittenCommand[], words: readonly string[]): string | undefined {
  if (words.length === 0) return usage(commands);
  const found = commands.filter((command) =>
    wordsOf(command).every((word, at) => at >= words.length || word === words[at]),
  );
  return found.length === 0 ? undefined : found.map(lineOf).join("");
}

const everywhere = ["--help", "--version"];

/** Why words are no command: an argument is missing or too much, or something near is meant, or nothing that is known. */
export function explainWords(commands: readonly WrittenCommand[], words: readonly string[]): string {
  const begun = commands.filter((command) => words.every((word, at) => word === wordsOf(command)[at]));
  if (begun.length > 0) return `missing argument. Usage:\n${begun.map(lineOf).join("")}`;
  // "backup --portable" is one, and so is "backup".
  const [named] = commands
    .filter((command) => wordsOf(command).every((word, at) => word === words[at]))
    .toSorted((one, other) => other.words.length - one.words.length);
  if (named) return explainArguments(named, words.slice(wordsOf(named).length));
  const near = findMeant(commands, words);
  const unknown = `there is no command "${words.join(" ")}"`;
  if (near === undefined) return `${unknown}.\n\n${usage(commands)}`;
  return `${unknown}; did you mean "${near}"?\n${helpFor(commands, near.split(" ")) ?? ""}`;
}

function explainArguments(command: WrittenCommand, given: readonly string[]): string {
  const option = given.find((word) => word.startsWith("-"));
  const why =
    option === undefined
      ? `${writtenAs(command)}: too many arguments.`
      : `unknown option ${option}${suggest(option, everywhere) || "."}`;
  return `${why} Usage:\n${lineOf(command)}`;
}

function findMeant(commands: readonly WrittenCommand[], words: readonly string[]): string | undefined {
  const names = [...commands.map((command) => command.words), ...everywhere];
  // What follows a name may be its arguments.
  return [words.slice(0, 2), words.slice(0, 1)]
    .map((some) => findNear(some.join(" "), names))
    .find((name) => name !== undefined && name !== words.slice(0, name.split(" ").length).join(" "));
}
