import { existsSync, readFileSync } from "node:fs";
import { expect, it, test } from "vitest";
import { applyFault } from "../support/broken-copy.ts";
import { pagePath, renderPage } from "./page.ts";
import { points } from "./points.ts";

const numbered = (letter: string, last: number) =>
  Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);

it("Every point of what is known of the live services has faults that are put back", () => {
  const ids = points.map(({ id }) => id).filter((id) => !id.startsWith("R"));
  expect(ids).toEqual([...numbered("H", 14), ...numbered("C", 9), ...numbered("D", 10)]);
  expect(points.filter(({ faults }) => faults.length === 0)).toEqual([]);
});

test.each(points)("$id: each fault finds its words in the source, and its tests are there", ({ faults }) => {
  for (const fault of faults) {
    const source = readFileSync(fault.file, "utf8");
    expect(applyFault(source, fault)).not.toBe(source);
    for (const file of Object.keys(fault.tests)) expect(existsSync(file), file).toBe(true);
  }
});

it(`${pagePath} is what npm run live:proof -- --write would write`, () => {
  expect(readFileSync(pagePath, "utf8")).toBe(renderPage());
});
