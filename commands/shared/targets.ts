import { attachment, text, type AttachedFile, type Option } from "../../src/discord/command.ts";
import type { View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { mostTargets } from "../../src/moderation/bulks/bulk.ts";
import {
  splitLines,
  withoutRepeats,
  type FileLine,
  type ReadLine,
} from "../../src/moderation/bulks/file-lines.ts";
import { amount } from "../../src/text/amount.ts";
import { inlineCode } from "../../src/text/message-text.ts";
import { parseSince } from "../../src/text/since.ts";
import { readAttachedFile } from "../rule/rule-arguments.ts";

/** A moment of the past, in UNIX seconds. */
export function sinceOption(description: string): Option<number | undefined> {
  const raw = text({ description, maxLength: 40 });
  return {
    ...raw,
    async read(value, context) {
      const typed = await raw.read(value, context);
      if (typed === undefined) return undefined;
      const since = parseSince(typed, Math.floor(context.clock.now() / 1000));
      if (since !== undefined) return since;
      throw new AppError(
        "invalid_input",
        `Not a moment of the past: ${inlineCode(typed, 40)}. Write it as 2h, 20:00 or 2026-11-23 20:00; times are UTC.`,
      );
    },
  };
}

export const targetsFile = (what: string) =>
  attachment({ description: `Or a text file of ${what}, one a line; every line is answered` });

/** Enough for as many links as one bulk takes. */
const mostBytes = 1024 * 1024;
/** What is wrong is shown so far in the message itself; all of it is in the file. */
const mostShown = 5;

/** What a file names, and what is said of it. */
export interface Targets<T> {
  found: T[];
  lines: string[];
  files: NonNullable<View["files"]>;
}

/** Reads a file of targets: what its lines name, what is wrong with the others, and an answer to each line. */
export async function readTargets<T>(
  file: AttachedFile,
  read: (lines: readonly FileLine[]) => Promise<ReadLine<T>[]>,
  describe: (target: T) => string,
): Promise<Targets<T>> {
  const lines = splitLines(await readAttachedFile(file, mostBytes));
  const answers = withoutRepeats(await read(lines), mostTargets);
  const found = answers.flatMap((line) => ("target" in line ? [line.target] : []));
  const mistakes = answers.flatMap((line) => ("mistake" in line ? [line] : []));
  const report = answers.map((line) =>
    "target" in line
      ? `${line.number}\tyes\t${line.written}\t${describe(line.target)}`
      : `${line.number}\tno\t${line.written}\t${line.mistake}`,
  );
  return {
    found,
    lines: [
      `The file names ${found.length} of ${amount(answers.length, "line")}.`,
      ...mistakes
        .slice(0, mostShown)
        .map(({ number, written, mistake }) => `✖ line ${number} ${inlineCode(written, 60)}: ${mistake}`),
      ...(mistakes.length > mostShown
        ? [`… and ${mistakes.length - mostShown} more lines that name nobody or nothing`]
        : []),
    ],
    files: [{ name: "lines.txt", text: `line\tused\twritten\tanswer\n${report.join("\n")}\n` }],
  };
}
