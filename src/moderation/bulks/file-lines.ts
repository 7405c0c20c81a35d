/** A line of a file of targets that is not empty. */
export interface FileLine {
  /** Counted from 1. */
  number: number;
  /** The first field, where there are several. */
  written: string;
}

/** What became of a line: a target, known by its key, or why there is none. */
export type ReadLine<T> = FileLine & ({ target: T; key: string } | { mistake: string });

/** Longer ones name nobody. */
const longestLine = 300;

/** The lines of a file, one target each; of a table the first column counts. */
export function splitLines(text: string): FileLine[] {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ number: index + 1, written: firstField(line).slice(0, longestLine) }))
    .filter(({ written }) => written !== "");
}

function firstField(line: string): string {
  const [field = ""] = line.split(/[,;\t]/);
  return field
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim();
}

/** The same, where a target that stands there twice counts once, and of too many only the first. */
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
