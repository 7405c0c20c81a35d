import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { oldNames, oldWordsAnywhere, type OldWord } from "./old-words.ts";

export interface WordCount extends OldWord {
  /** `file:line`, for each occurrence. */
  places: string[];
}

const root = join(import.meta.dirname, "../..");
const scanned = [
  "src",
  "commands",
  "workers",
  "docs",
  "README.md",
  "CONTRIBUTING.md",
  "packages/client/README.md",
  ".env.example",
];
/** Not written by us: the specification, what a program writes from the names of tests, what a terminal showed. */
const generated = [
  "docs/reference/interface.md",
  "docs/explain/live-proof.md",
  "docs/guide/setup-recording.txt",
];
const literalOrComment =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** Counts the old words of everything that a person reads here, except in tests. */
export function countWords(): WordCount[] {
  const texts = scanned.flatMap((place) => listFiles(join(root, place))).map(readText);
  const everything = joinTexts(texts.map(({ path, text }) => ({ path, text })));
  const code = joinTexts(
    texts.filter(({ isCode }) => isCode).map(({ path, code }) => ({ path, text: code })),
  );
  return [
    ...oldWordsAnywhere.map((word) => ({ ...word, places: everything.find(word) })),
    ...oldNames.map((word) => ({ ...word, places: code.find(word) })),
  ];
}

function listFiles(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|js|css|html|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function readText(file: string) {
  const path = relative(root, file);
  const text = generated.includes(path) ? "" : readFileSync(file, "utf8");
  const isCode = /\.(tsx?|js)$/.test(path);
  const code = isCode ? text.replaceAll(literalOrComment, (match) => match.replaceAll(/[^\n]+/g, " ")) : "";
  // The name is the first line's.
  const name = basename(path)
    .replace(/\.\w+$/, "")
    .replaceAll("-", "·");
  return { path, isCode, text: splitNames(`${name} ${text}`), code: splitNames(`${name} ${code}`) };
}

/** `toldAt` and `told_at` become `told·at`, and a comment of several lines one text. */
function splitNames(text: string): string {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1·$2")
    .replaceAll("_", "·")
    .replaceAll(/[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
    .replaceAll(/\n *(?:\*|\/\/)(?= )/g, "\n");
}

/** All texts as one, which is quicker to search. */
function joinTexts(texts: { path: string; text: string }[]): { find(word: OldWord): string[] } {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of texts) {
    starts.push(length);
    length += text.length + 1;
  }
  const whole = texts.map(({ text }) => text).join("\0");
  const placeOf = (offset: number) => {
    const index = starts.findLastIndex((start) => start <= offset);
    const { path = "", text = "" } = texts[index] ?? {};
    return `${path}:${text.slice(0, offset - (starts[index] ?? 0)).split("\n").length}`;
  };
  return {
    find: ({ word }: OldWord) => {
      const pattern = `\\b(?:${word.replaceAll(" ", "[\\s·-]+")})\\b`;
      return Array.from(whole.matchAll(new RegExp(pattern, "g")), ({ index }) => placeOf(index));
    },
  };
}
