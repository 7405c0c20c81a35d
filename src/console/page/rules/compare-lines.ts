/** Maximum number of comparisons that the page makes at once. */
const maxComparisons = 4_000_000;

export interface Line {
  is: "same" | "gone" | "new";
  text: string;
}

/** Compares two texts line by line. Each line has `is` "same", "gone" or "new", in an order in which both can be read. */
export function compareLines(before: string, after: string): Line[] {
  const [old, now] = [before.trimEnd().split("\n"), after.trimEnd().split("\n")];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  const left = Math.min(old.length, now.length) - start;
  while (end < left && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const same = (text: string): Line => ({ is: "same", text });
  return [
    ...old.slice(0, start).map(same),
    ...compareMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

/** Compares by longest common subsequence. */
function compareMiddle(old: readonly string[], now: readonly string[]): Line[] {
  const lines: Line[] = [];
  const common = old.length * now.length > maxComparisons ? () => 0 : measure(old, now);
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [gone, added] = [old[i], now[j]];
    if (gone !== undefined && gone === added) {
      lines.push({ is: "same", text: gone });
      i += 1;
      j += 1;
    } else if (gone !== undefined && (added === undefined || common(i + 1, j) >= common(i, j + 1))) {
      lines.push({ is: "gone", text: gone });
      i += 1;
    } else if (added !== undefined) {
      lines.push({ is: "new", text: added });
      j += 1;
    }
  }
  return lines;
}

/** The number of common lines of the rests from two positions. */
function measure(old: readonly string[], now: readonly string[]): (i: number, j: number) => number {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const common = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        old[i] === now[j] ? common(i + 1, j + 1) + 1 : Math.max(common(i + 1, j), common(i, j + 1));
    }
  }
  return common;
}

/** Replaces unchanged lines by `{skipped}`, except for `around` lines next to a change. */
export function foldSame(lines: readonly Line[], around = 3): (Line | { skipped: number })[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ is }) => is !== "same"),
  );
  const folded: (Line | { skipped: number })[] = [];
  for (const [at, line] of lines.entries()) {
    const last = folded.at(-1);
    if (isNear[at]) folded.push(line);
    else if (last && "skipped" in last) last.skipped += 1;
    else folded.push({ skipped: 1 });
  }
  return folded;
}
