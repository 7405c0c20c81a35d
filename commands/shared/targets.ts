import { attachment, type AttachedFile } from "../../src/discord/command.ts";
import type { View } from "../../src/discord/view.ts";
import { maxTargets } from "../../src/moderation/bulks/bulk.ts";
import {
  splitLines,
  withoutRepeats,
  type FileLine,
  type ReadLine,
  type TargetColumns,
} from "../../src/moderation/bulks/file-lines.ts";
import { amount } from "../../src/text/amount.ts";
import { inlineCode } from "../../src/text/message-text.ts";
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

/** Reads a file of targets: the targets, the mistakes, and an answer to each line. */
export async function readTargets<T>(
  file: AttachedFile,
  columns: TargetColumns,
  read: (lines: readonly FileLine[]) => Promise<ReadLine<T>[]>,
  describe: (target: T) => string,
): Promise<Targets<T>> {
  const { lines, mistakes: unread, heading } = splitLines(await readAttachedFile(file, maxBytes), columns);
  const inOrder = [...(await read(lines)), ...unread].toSorted((one, other) => one.number - other.number);
  const answers = withoutRepeats<T>(inOrder, maxTargets);
  const found = answers.flatMap((line) => ("target" in line ? [line.target] : []));
  const mistakes = answers.flatMap((line) => ("mistake" in line ? [line] : []));
  const report = answers.map((line) => {
    const written = line.written.replace(/\s+/g, " ");
    return "target" in line
      ? `${line.number}\tyes\t${written}\t${describe(line.target)}`
      : `${line.number}\tno\t${written}\t${line.mistake}`;
  });
  return {
    found,
    lines: [
      `The file names ${found.length} of ${amount(answers.length, "line")}.`,
      ...(heading
        ? [
            `Line ${heading.number} is its heading. Targets are read from the column ${inlineCode(heading.column)}.`,
          ]
        : []),
      ...mistakes
        .slice(0, maxShown)
        .map(({ number, written, mistake }) => `✖ line ${number} ${inlineCode(written, 60)}: ${mistake}`),
      ...(mistakes.length > maxShown
        ? [`… and ${mistakes.length - maxShown} more lines without a valid target`]
        : []),
    ],
    files: [{ name: "lines.txt", text: `line\tused\twritten\tanswer\n${report.join("\n")}\n` }],
  };
}
