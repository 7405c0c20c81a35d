/** '; did you mean "mode"?', or empty if no candidate is close. */
export function suggest(written: string, candidates: readonly string[]): string {
  const near = findNear(written, candidates);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

/** The candidate that was probably meant, ignoring case. */
export function findNear(written: string, candidates: readonly string[]): string | undefined {
  const word = written.slice(0, 40).toLowerCase();
  const reach = word.length <= 4 ? 1 : 2;
  const near = candidates
    .filter(({ length }) => Math.abs(length - word.length) <= reach)
    .map((candidate) => ({ candidate, distance: countEdits(word, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= reach)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.candidate;
}

/** The number of letters to insert, remove, replace or swap with a neighbour to turn one word into the other. */
export function countEdits(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + same,
          swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
