import { appendFileSync } from "node:fs";

/** The upper median. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A table row: a wide name, then right-aligned cells. */
export function row(name: string, ...cells: string[]): string {
  return name.padEnd(34) + cells.map((cell) => cell.padStart(10)).join("");
}

export type Goal = { least: number } | { most: number };

/** A figure for `npm run bench`: a line of JSON in the file named by BENCH_RESULTS. */
export interface Result {
  name: string;
  value: number;
  goal: Goal;
  met: boolean;
}

/** Returns whether a figure meets its goal, and reports it to `npm run bench`. */
export function note(name: string, value: number, goal: Goal): boolean {
  const met = "least" in goal ? value >= goal.least : value <= goal.most;
  const file = process.env["BENCH_RESULTS"];
  if (file) appendFileSync(file, `${JSON.stringify({ name, value, goal, met } satisfies Result)}\n`);
  return met;
}

/** Prints a figure with its goal, and returns whether it is met. */
export function judge(name: string, value: number, goal: Goal): boolean {
  const met = note(name, value, goal);
  const sign = "least" in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`;
  write(row(name, value >= 1000 ? value.toFixed(0) : value.toFixed(2), sign, met ? "met" : "MISSED"));
  return met;
}

/** The smallest value that at least `share` percent of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil((values.length * share) / 100) - 1] ?? 0;
}
