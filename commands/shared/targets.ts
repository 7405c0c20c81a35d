import { attachment, type AttachedFile } from "../../src/discord/command.ts";
import type { View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { maxTargets } from "../../src/moderation/bulks/bulk.ts";
import {
  splitLines,
  withoutRepeats,
  type FileLine,
  type ReadLine,
  type TargetColumns,
} from "../../src/moderation/bulks/file-lines.ts";
import { amount } from "../../src/text/amount.ts";
import { inlineCode, listSome } from "../../src/text/message-text.ts";
import { readAttachedFile } from "../rule/rule-arguments.ts";

export const targetsFile = (what: string) =>
  attachment({ description: `Or a text file of ${what}, one per line; every line is answered` });

/** Large enough for the most links that one bulk takes. */
const maxBytes = 1024 * 1024;
/** The most mistakes shown in the message; the file has all of them. */
const maxShown = 5;

/** The targets in a file, and the report about its lines. */
export interface Targets<T> {
  found: T[];
  lines: string[];
  files: NonNullable<View["files"]>;
}

/** Refuses targets that are given in two ways: one of them would be ignored. By the options' names. */
export function refuseBoth(named: Record<string, unknown>, filters: Record<string, unknown>): void {
  const given = (options: Record<string, unknown>) =>
    Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const [first, another] = [...given(named), ...given(filters)];
  if (given(named).length === 0 || first === undefined || another === undefined) return;
  throw new AppError(
    "invalid_input",
    `Choose them by ${first} or by ${another}, not by both: one of them would be ignored.`,
  );
}

/** Refuses options, by their names, that would be ignored. */
export function refuseUseless(options: Record<string, unknown>, why: string): void {
  const given = Object.entries(options).find(([, value]) => value !== undefined && value !== false);
  if (given) throw new AppError("invalid_input", `\`${given[0]}\` ${why}.`);
}

/** Reads targets from a file or typed text: the targets, the mistakes, and for a file an answer to each line. */
export async function readTargets<T>(
  source: AttachedFile | string,
  columns: TargetColumns,
  read: (lines: readonly FileLine[]) => Promise<ReadLine<T>[]>,
  describe: (target: T) => string,
): Promise<Targets<T>> {
  const isFile = typeof source !== "string";
  const written = isFile
    ? await readAttachedFile(source, maxBytes)
    : source
        .trim()
        .split(/[\s,;]+/)
        .join("\n");
  const { lines, mistakes: unread, heading } = splitLines(written, columns);
  const inOrder = [...(await read(lines)), ...unread].toSorted((one, other) => one.number - other.number);
  const answers = withoutRepeats<T>(inOrder, maxTargets);
  const found = answers.flatMap((line) => ("target" in line ? [line.target] : []));
  const mistakes = answers.flatMap((line) => ("mistake" in line ? [line] : []));
  const report = answers.map((line) => {
    const asWritten = line.written.replace(/\s+/g, " ");
    return "target" in line
      ? `${line.number}\tyes\t${asWritten}\t${describe(line.target)}`
      : `${line.number}\tno\t${asWritten}\t${line.mistake}`;
  });
  return {
    found,
    lines: [
      ...(isFile ? [`The file names ${found.length} of ${amount(answers.length, "line")}.`] : []),
      ...(!isFile && mistakes.length > 0
        ? [`You typed ${answers.length}, and ${found.length} can be used.`]
        : []),
      ...(heading
        ? [
            `Line ${heading.number} is its heading. Targets are read from the column ${inlineCode(heading.column)}.`,
          ]
        : []),
      ...listSome(
        mistakes,
        maxShown,
        ({ number, written, mistake }) =>
          `✖ ${isFile ? `line ${number} ` : ""}${inlineCode(written, 60)}: ${mistake}`,
        "without a valid target",
      ),
    ],
    files: !isFile
      ? []
      : [{ name: "lines.txt", text: `line\tused\twritten\tanswer\n${report.join("\n")}\n` }],
  };
}
