/** What was looked at, how much of it, and what is wrong. */
// @ts-nocheck

export interface Verdict {
  title: string;
  looked: number;
  faults: string[];
}

/** Where two sequences that should be one part for the first time, and what is on either side. */
export function differences(expected: readonly string[], seen: readonly string[]): string[] {
  const at = Array.from({ length: Math.max(expected.length, seen.length) }).findIndex(
    (_, index) => expected[index] !== seen[index],
  );
  if (at === -1) return [];
  const part = (items: readonly string[]) => items.slice(Math.max(0, at - 1), at + 4).join(" | ");
  return [`${expected.length} expected, ${seen.length} seen; at ${at}: ${part(expected)} <> ${part(seen)}`];
}

/** What occurs more than once. */
export function repeated(items: readonly string[]): string[] {
  const met = new Set<string>();
  return items.filter((item) => met.has(item) || !met.add(item));
}
