import { readdirSync, readFileSync } from "node:fs";

/** A labelled cast or name. */
export interface Labelled {
  text: string;
  bad: boolean;
  member: boolean;
  /** How often it was said within an hour. */
  times: number;
  /** How many casts of the author there were within two minutes. */
  rate: number;
  /** Addresses that the cast embeds. */
  embeds: string[];
}

const folder = new URL("../rules/corpus/", import.meta.url);

export type Part = "open" | "held-back";

/** Part of the corpus: the rules were written with the open one in sight, and without the one held back. */
export function readCorpus(part: Part): { casts: Labelled[]; names: Labelled[] } {
  const casts = [true, false].flatMap((bad) =>
    readLines(`${part}/${bad ? "bad" : "good"}-casts.txt`).map((line) => readLine(line, bad)),
  );
  const names = readLines(`${part}/names.txt`).map((line) =>
    readLine(line.replace(/^(bad|good) /, ""), line.startsWith("bad ")),
  );
  return { casts, names };
}

/** Lines of each file of a folder, by its name: texts that nobody here wrote, or templates of lures. */
export function readSources(part: Part, folderOfPart: "innocent" | "lures"): Map<string, string[]> {
  const files = readdirSync(new URL(`${part}/${folderOfPart}/`, folder)).toSorted();
  return new Map(
    files.map((file) => {
      const text = readFileSync(new URL(`${part}/${folderOfPart}/${file}`, folder), "utf8");
      return [file.replace(/\.txt$/, ""), text.split("\n").filter(Boolean)];
    }),
  );
}

function readLines(file: string): string[] {
  const text = readFileSync(new URL(file, folder), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

function readLine(line: string, bad: boolean): Labelled {
  const [flags = ""] = /^(\[(\w+|embed:\S+)\] )*/.exec(line) ?? [];
  const numberOf = (letter: string) => Number(new RegExp(`\\[${letter}(\\d+)\\]`).exec(flags)?.[1] ?? 1);
  const text = line
    .slice(flags.length)
    .replace(/\\u\{([0-9a-f]+)\}/gi, (_, point: string) => String.fromCodePoint(parseInt(point, 16)));
  const member = flags.includes("[member]");
  const embeds = [...flags.matchAll(/\[embed:(\S+)\]/g)].map(([, address = ""]) => address);
  return { text, bad, member, times: numberOf("x"), rate: numberOf("r"), embeds };
}
