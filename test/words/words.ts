/**
 * `npm run words` prints the old words and how often they occur; `npm run words -- told` where. `--write` lowers the numbers
 * in counts.json to today's, and raises none.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countWords } from "./count-words.ts";

const file = join(import.meta.dirname, "counts.json");
const allowed: Record<string, number | undefined> = JSON.parse(readFileSync(file, "utf8"));
const [argument] = process.argv.slice(2);
const words = countWords();

if (argument === "--write") {
  const counts = words.map(({ word, places }) => [
    word,
    Math.min(places.length, allowed[word] ?? places.length),
  ]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(counts), undefined, 2)}\n`);
} else {
  for (const { word, instead, places } of words) {
    if (argument === undefined) print(`${String(places.length).padStart(5)}  ${word}  →  ${instead}`);
    else if (word === argument || new RegExp(`^(?:${word})$`).test(argument)) places.forEach(print);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
