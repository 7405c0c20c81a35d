import { splitTable, type Row } from "../../text/split-table.ts";

/** A non-empty line of a file of targets. */
export interface FileLine {
  /** Counted from 1. */
  number: number;
  /** The field that names the target. */
  written: string;
  /** The heading of that field, if any. */
  column: string | undefined;
  /** The fields that could also name a target: all others, or those with a matching heading. */
  others: Field[];
}

interface Field {
  written: string;
  column: string | undefined;
}

/** A line's result: a target, identified by its key, or why there is none. */
export type ReadLine<T> = Pick<FileLine, "number" | "written"> &
  ({ target: T; key: string } | { mistake: string });

type Mistake = Pick<FileLine, "number" | "written"> & { mistake: string };

interface FileOfTargets {
  lines: FileLine[];
  /** Lines that cannot be read as written. */
  mistakes: Mistake[];
  /** The line with the headings, and the column that was used. */
  heading: { number: number; column: string } | undefined;
}

/** Longer fields cannot be a name. */
const longestField = 300;

/** 12,345 and 1.234.567: people write one number this way, tables several. */
const grouped = /^[0-9]{1,3}(?:[.,;'’ \u00a0\u202f][0-9]{3})+$/;
export const unclearLine =
  "one number or several? Write fids with digits only, without separators, one per line";

/** The headings of columns that name a target, the best first. */
export interface TargetColumns {
  anywhere: readonly string[];
  /** Words that are headings only in the first column: elsewhere they can be a reason. */
  first: readonly string[];
}

/**
 * The lines of a file, one target each. In a table, the heading shows which column names the target. Without a heading it
 * is the first field, and the others must not also name a target.
 */
export function splitLines(text: string, columns: TargetColumns): FileOfTargets {
  const rows = splitTable(text);
  const heading = findHeading(rows, columns);
  const file: FileOfTargets = { lines: [], mistakes: [], heading: heading?.shown };
  for (const row of heading ? rows.slice(1) : rows) {
    const line = readRow(row, heading);
    if ("mistake" in line) file.mistakes.push(line);
    else file.lines.push(line);
  }
  return file;
}

interface Heading {
  /** Undefined for a column that names no target. */
  columns: (string | undefined)[];
  place: number;
  shown: { number: number; column: string };
}

function findHeading(
  [first]: readonly Row[],
  { anywhere, first: leading }: TargetColumns,
): Heading | undefined {
  const labels = first?.fields.map((field) => field.toLowerCase().replace(/[\s-]+/g, "_")) ?? [];
  const column = [...anywhere, ...leading.filter((one) => labels[0] === one)].find((one) =>
    labels.includes(one),
  );
  if (first === undefined || column === undefined || !labels.every((label) => /^[a-z_]*$/.test(label))) {
    return undefined;
  }
  const known = [...anywhere, ...leading];
  return {
    columns: labels.map((label) => (known.includes(label) ? label : undefined)),
    place: labels.indexOf(column),
    shown: { number: first.number, column },
  };
}

function readRow(row: Row, heading: Heading | undefined): FileLine | Mistake {
  const { number, raw, fields } = row;
  const refused = (mistake: string) => ({ number, written: raw.slice(0, longestField), mistake });
  if (row.mistake !== undefined) return refused(row.mistake);
  if (grouped.test(raw.trim())) return refused(unclearLine);
  const named = fields.map((written, place) => ({ written, column: heading?.columns[place] }));
  const place = heading?.place ?? 0;
  const target = named[place];
  if (heading && fields.slice(heading.columns.length).some((field) => field !== "")) {
    return refused(
      `${fields.length} fields under ${heading.columns.length} columns: put quotes around those with a comma`,
    );
  }
  if (target === undefined || target.written === "") {
    return refused(heading ? `nothing in the column ${heading.shown.column}` : "its first field is empty");
  }
  if (target.written.length > longestField) return refused("longer than any name or link");
  const others = named.filter(
    ({ written, column }, at) => at !== place && written !== "" && (!heading || column !== undefined),
  );
  return { number, ...target, others };
}

/** The same lines, but a repeated target counts once, and only the first `most` targets count. */
export function withoutRepeats<T>(lines: readonly ReadLine<T>[], most: number): ReadLine<T>[] {
  const first = new Map<string, number>();
  return lines.map((line) => {
    if ("mistake" in line) return line;
    const { number, written, key } = line;
    const before = first.get(key);
    if (before !== undefined) return { number, written, mistake: `the same as in line ${before}` };
    if (first.size >= most)
      return { number, written, mistake: `more than ${most}: put it into another file` };
    first.set(key, number);
    return line;
  });
}
