/**
 * Who may import what: the arrows of the architecture. A folder may always import itself, errors, log and clock.
 * ":types" allows types alone. Files that are no part of any folder here are folders of their own.
 */
export const importTable: Record<string, readonly string[]> = {
  "src/contract": [],
  "src/archive": [],
  "src/database": ["src/archive"],
  "src/text": [],
  "src/config.ts": ["src/text"],
  "src/last-words.ts": [],
  "src/log-destination.ts": ["src/last-words.ts"],
  "src/log.ts": ["src/log-destination.ts"],
  "src/bot-context.ts": ["src/contract:types", "src/database:types"],

  "src/api/domain": ["src/contract"],
  "src/api/store": ["src/api/domain", "src/database", "src/contract:types"],
  "src/api/cached": ["src/api/store", "src/database"],
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
  ],
  "src/api/http": ["src/contract", "src/api", "src/api/cached:types"],
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
    "src/bot-context.ts",
    "src/text",
  ],
  "src/queue": ["src/database"],
  commands: [
    "src/contract",
    "src/discord",
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

  "src/sandbox": ["src/contract", "src/client"],
  "src/cli": [
    "src/config.ts",
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
];

/** The parts that put others together. */
export const assemblers = ["src/main.ts", "src/start"];

/** Packages that belong to one part, so that no other depends on how it is done. */
export const packageOwners: Record<string, readonly string[]> = {
  "discord.js": ["src/discord", "commands"],
  bullmq: ["src/queue", "src/database"],
  fastify: ["src/api/http", "src/sandbox"],
  pg: ["src/database"],
  "@electric-sql/pglite": ["src/database"],
  piscina: ["src/rules"],
};

const folders = [...Object.keys(importTable), ...assemblers].toSorted((a, b) => b.length - a.length);

/** The folder of the table that a file belongs to: the deepest. */
export function folderOf(path: string): string {
  return folders.find((folder) => path === folder || path.startsWith(`${folder}/`)) ?? path;
}
