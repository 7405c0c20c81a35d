import { appendFileSync } from "node:fs";

/** Half of the values are larger. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A line of a table: a wide name, then cells to the right. */
export function row(name: string, ...cells: string[]): string {
  return name.padEnd(34) + cells.map((cell) => cell.padStart(10)).join("");
}

export type Goal = { least: number } | { most: number };

/** A figure as `npm run bench` gathers it: a line of JSON in the file that BENCH_RESULTS names. */
export interface Result {
  name: string;
  value: number;
  goal: Goal;
  met: boolean;
}

/** Whether a figure meets its goal; `npm run bench` hears of it. */
export function note(name: string, value: number, goal: Goal): boolean {
  const met = "least" in goal ? value >= goal.least : value <= goal.most;
  const file = process.env["BENCH_RESULTS"];
  if (file) appendFileSync(file, `${JSON.stringify({ name, value, goal, met } satisfies Result)}\n`);
  return met;
}

/** Prints a figure with its goal, and gives whether it is met. */
export function judge(name: string, value: number, goal: Goal): boolean {
  const met = note(name, value, goal);
  const sign = "least" in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`;
  write(row(name, value >= 1000 ? value.toFixed(0) : value.toFixed(2), sign, met ? "met" : "MISSED"));
  return met;
}

/** The smallest value that so many in a hundred do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil((values.length * share) / 100) - 1] ?? 0;
}
