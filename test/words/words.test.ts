import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { countWords } from "./count-words.ts";

const allowed: Record<string, number> = JSON.parse(
  readFileSync(join(import.meta.dirname, "counts.json"), "utf8"),
);
const words = countWords();

it("uses no old word more often than counts.json allows", () => {
  const tooMany = words
    .filter(({ word, places }) => places.length > (allowed[word] ?? 0))
    .map(
      ({ word, instead, places }) =>
        `${word}: ${places.length}, allowed ${allowed[word] ?? 0}; say ${instead} (npm run words -- "${word}")`,
    );
  expect(tooMany).toEqual([]);
});

it("allows no old word more often than it occurs", () => {
  const tooHigh = words
    .filter(({ word, places }) => places.length < (allowed[word] ?? 0))
    .map(
      ({ word, places }) =>
        `${word}: ${allowed[word]} allowed, ${places.length} used: lower the number (npm run words -- --write)`,
    );
  expect(tooHigh).toEqual([]);
});

it("allows nothing that is not in the list", () => {
  expect(Object.keys(allowed)).toEqual(words.map(({ word }) => word));
});
