import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";

/** One TypeScript file of the project; paths are relative to its root, with slashes. */
export interface SourceFile {
  path: string;
  /** The text without comments and with empty strings; lines and columns stay where they were. */
  code: string;
  /** The string and template literals, without what templates interpolate. */
  strings: { line: number; text: string }[];
  imports: Import[];
}

export interface Import {
  line: number;
  /** A file of ours, as its path; or a package. */
  target: string;
  isOurs: boolean;
  /** Nothing of it is left when the program runs. */
  isType: boolean;
}

const root = join(import.meta.dirname, "../..");

/** Every .ts and .tsx file below these folders and at these paths. */
export function readSourceFiles(...places: string[]): SourceFile[] {
  return places.flatMap((place) => listFiles(join(root, place))).map(readSourceFile);
}

function listFiles(place: string): string[] {
  if (!existsSync(place)) return [];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function readSourceFile(file: string): SourceFile {
  const path = relative(root, file).split(sep).join("/");
  const text = readFileSync(file, "utf8");
  const strings: SourceFile["strings"] = [];
  const withoutComments = text.replaceAll(literalOrComment, (match, offset: number) => {
    if (match.startsWith("/")) return blank(match);
    strings.push({ line: lineAt(text, offset), text: match.replaceAll(/\$\{[^}]*\}/g, "") });
    return match;
  });
  const code = withoutComments.replaceAll(literalOrComment, blank);
  return { path, code, strings, imports: findImports(path, withoutComments) };
}

const literalOrComment =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[^]*?\*\//g;
const fromClause =
  /^(?:import|export)\s+(type\s+)?([\w$*]+|(?:[\w$]+,\s*)?\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+"([^"]+)"/gm;
const bareOrDynamic = /^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;

function findImports(path: string, text: string): Import[] {
  const named = [...text.matchAll(fromClause)].map(({ index, 1: type, 2: names = "", 3: from = "" }) =>
    describeImport(path, lineAt(text, index), from, type !== undefined || namesTypesOnly(names)),
  );
  const others = [...text.matchAll(bareOrDynamic)].map(({ index, 1: bare, 2: dynamic }) =>
    describeImport(path, lineAt(text, index), bare ?? dynamic ?? "", false),
  );
  return [...named, ...others];
}

function describeImport(path: string, line: number, from: string, isType: boolean): Import {
  const isOurs = from.startsWith(".");
  const target = isOurs ? posix.normalize(posix.join(dirname(path), from)) : packageOf(from);
  return { line, target, isOurs, isType };
}

function namesTypesOnly(names: string): boolean {
  const list = /^\{([^}]*)\}$/
    .exec(names)?.[1]
    ?.split(",")
    .filter((name) => name.trim() !== "");
  return list !== undefined && list.length > 0 && list.every((name) => name.trim().startsWith("type "));
}

function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

function blank(match: string): string {
  return match.replaceAll(/[^\n]/g, " ");
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
