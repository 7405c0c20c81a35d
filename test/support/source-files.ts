import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";

/** One TypeScript file of the project; paths are relative to its root, with slashes. */
export interface SourceFile {
  path: string;
  lines: number;
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

/** Every .ts file below these folders and at these paths. */
export function readSourceFiles(...places: string[]): SourceFile[] {
  return places.flatMap((place) => listFiles(join(root, place))).map(readSourceFile);
}

function listFiles(place: string): string[] {
  if (!existsSync(place)) return [];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
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
  const lines = text.split("\n").length - 1;
  return { path, lines, code, strings, imports: findImports(path, withoutComments) };
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

/**
 * Who may import what: the arrows of the architecture. A folder may always import itself, errors, log and clock.
 * ":types" allows types alone. Files that are no part of any folder here are folders of their own.
 */
export const importTable: Record<string, readonly string[]> = {
  "src/contract": [],
  "src/archive": [],
  "src/database": ["src/archive"],
  "src/text": [],
  "src/environment.ts": ["src/settings-file.ts"],
  "src/config.ts": [
    "src/environment.ts",
    "src/text",
    "src/setting-values.ts",
    "src/settings-file.ts",
    "src/encrypted-key.ts",
  ],
  "src/page-errors.ts": [],
  "src/page-files.ts": [],
  "src/setting-values.ts": [],
  "src/settings-file.ts": [],
  "src/encrypted-key.ts": [],
  "src/last-words.ts": ["src/text"],
  "src/log-destination.ts": ["src/last-words.ts"],
  "src/log.ts": ["src/log-destination.ts"],
  "src/bot-context.ts": ["src/contract:types", "src/database:types", "src/observe:types"],

  "src/api/domain": ["src/contract"],
  "src/api/store": ["src/api/domain", "src/database", "src/contract:types"],
  "src/api/cached": ["src/api/domain:types", "src/api/store", "src/database"],
  "src/api/operations": [
    "src/contract",
    "src/api/domain",
    "src/api/store",
    // What an operation is, and signatures.
    "src/api",
    "src/api/network-file",
    "src/database:types",
  ],
  "src/api/network-file": [
    "src/contract",
    "src/api",
    "src/api/domain",
    "src/api/store",
    "src/database",
    "src/text",
  ],
  "src/api": [
    "src/contract",
    "src/api/domain",
    "src/api/store",
    "src/api/cached",
    "src/api/operations",
    "src/database:types",
    "src/text",
  ],
  "src/api/http": ["src/contract", "src/api", "src/api/cached:types", "src/text"],
  "src/client": ["src/contract", "src/text"],

  "src/observe": ["src/contract", "src/database", "src/bot-context.ts", "src/text"],
  "src/rules": ["src/contract", "src/observe", "src/database", "src/bot-context.ts", "src/text"],
  "src/moderation": [
    "src/contract",
    "src/database",
    "src/rules:types",
    "src/observe",
    "src/bot-context.ts",
    "src/text",
  ],
  "src/feed": ["src/observe", "src/moderation:types", "src/database", "src/bot-context.ts", "src/text"],
  // What is kept, for how long, and what is erased: of every part of the bot half.
  "src/retention": ["src/rules", "src/feed", "src/database:types", "src/bot-context.ts", "src/text"],
  "src/discord": [
    "src/contract",
    "src/feed",
    "src/rules:types",
    "src/observe:types",
    "src/drawing:types",
    "src/bot-context.ts",
    "src/text",
  ],
  "src/drawing": ["src/text"],
  "src/queue": ["src/database"],
  commands: [
    "src/contract",
    "src/discord",
    "src/drawing",
    "src/moderation",
    "src/rules",
    "src/feed",
    "src/observe",
    "src/database:types",
    "src/bot-context.ts",
    "src/text",
  ],
  workers: [
    "src/queue",
    "src/contract",
    "src/api",
    "src/api/operations",
    "src/observe",
    "src/rules",
    "src/moderation",
    "src/feed",
    "src/retention",
    "src/discord",
    "src/database",
    "src/bot-context.ts",
    "src/text",
  ],

  // People at the same commands, in a browser instead of in Discord.
  "src/console": [
    "commands",
    "src/discord",
    "src/moderation",
    "src/rules",
    "src/feed",
    "src/observe:types",
    "src/database:types",
    "src/bot-context.ts",
    "src/page-errors.ts",
    "src/page-files.ts",
    "src/text",
  ],
  "src/sandbox": ["src/contract", "src/client", "src/page-errors.ts", "src/page-files.ts"],
  "src/cli": [
    "src/config.ts",
    "src/environment.ts",
    "src/setting-values.ts",
    "src/settings-file.ts",
    "src/encrypted-key.ts",
    "src/last-words.ts",
    "src/archive",
    "src/database:types",
    "src/contract",
    "src/client",
    "src/rules",
    "src/retention",
    "src/sandbox",
    "src/start",
    "src/text",
  ],
};

/** Whom everybody may import. */
export const forEverybody = [
  "src/errors.ts",
  "src/log.ts",
  "src/clock.ts",
  "src/async.ts",
  "src/listening.ts",
  "src/package-folder.ts",
  "src/entry-point.ts",
  "src/thread-pool.ts",
  "src/thread-priority.ts",
];

/** The parts that put others together. */
export const assemblers = ["src/main.ts", "src/start"];

/** Packages that belong to one part, so that no other depends on how it is done. */
export const packageOwners: Record<string, readonly string[]> = {
  "discord.js": ["src/discord", "commands"],
  bullmq: ["src/queue", "src/database"],
  fastify: ["src/api/http", "src/sandbox", "src/console", "src/page-files.ts"],
  pg: ["src/database"],
  "@electric-sql/pglite": ["src/database"],
  piscina: ["src/thread-pool.ts"],
  "@observablehq/plot": ["src/drawing"],
  linkedom: ["src/drawing"],
  "@resvg/resvg-wasm": ["src/drawing"],
};

const folders = [...Object.keys(importTable), ...assemblers].toSorted((a, b) => b.length - a.length);

/** The folder of the table that a file belongs to: the deepest. */
export function folderOf(path: string): string {
  return folders.find((folder) => path === folder || path.startsWith(`${folder}/`)) ?? path;
}
