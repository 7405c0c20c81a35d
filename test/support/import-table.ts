/**
 * Who may import what: the arrows of the architecture. A folder may always import itself, errors, log and clock.
 * ":types" allows types alone. Files that are no part of any folder here are folders of their own.
 */
export const importTable: Record<string, readonly string[]> = {
  "src/contract": [],
  "src/archive": [],
  "src/database": ["src/archive"],
  "src/text": [],
  // What members read, in each language.
  "src/languages": ["src/text"],
  // Numbers that several parts must agree on: they import nothing.
  "src/limits": [],
  "src/environment.ts": ["src/settings-file.ts"],
  "src/config.ts": [
    "src/environment.ts",
    "src/text",
    "src/setting-values.ts",
    "src/settings-file.ts",
    "src/encrypted-key.ts",
  ],
  // What the servers of pages share, and the pages themselves (kit).
  "src/web": ["src/package-folder.ts"],
  "src/setting-values.ts": ["src/settings-file.ts"],
  "src/settings-file.ts": [],
  "src/encrypted-key.ts": [],
  "src/last-words.ts": ["src/text"],
  "src/log-destination.ts": ["src/last-words.ts"],
  "src/log.ts": ["src/log-destination.ts"],
  "src/telemetry.ts": [],
  "src/spans.ts": [],
  // Makes traces of the reports and spans of the parts.
  "src/tracing": [],
  // What is measured, for Prometheus: parts report (src/telemetry.ts), and what is open is read when somebody asks.
  "src/metrics": ["src/observe", "src/rules", "src/queue:types", "src/database:types", "src/bot-context.ts"],
  "src/bot-context.ts": ["src/contract:types", "src/database:types", "src/observe:types"],

  "src/api/domain": ["src/contract"],
  "src/api/store": ["src/api/domain", "src/database", "src/contract:types"],
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
    "src/api/operations",
    "src/database:types",
    "src/text",
  ],
  "src/api/http": ["src/contract", "src/api", "src/web", "src/text"],
  "src/client": ["src/contract", "src/text"],

  "src/observe": ["src/contract", "src/database", "src/bot-context.ts", "src/text"],
  // What is sent to Discord besides posts; the parts ask for it, and the feed knows how each kind is sent.
  "src/outbox": ["src/database", "src/feed:types", "src/bot-context.ts"],
  "src/rules": [
    "src/contract",
    "src/observe",
    "src/database",
    "src/bot-context.ts",
    "src/limits",
    "src/text",
  ],
  "src/moderation": [
    "src/contract",
    "src/database",
    "src/rules:types",
    "src/observe",
    "src/moderation/cases/outcome.ts",
    "src/outbox",
    "src/bot-context.ts",
    "src/limits",
    "src/languages",
    "src/text",
  ],
  // The sentences of outcomes, which posts show too.
  "src/moderation/cases/outcome.ts": ["src/database:types", "src/languages", "src/text"],
  "src/feed": [
    "src/observe",
    "src/outbox",
    "src/moderation:types",
    "src/moderation/cases/outcome.ts",
    "src/database",
    "src/bot-context.ts",
    "src/limits",
    "src/languages",
    "src/text",
  ],
  // What programs get: the shapes of the API's answers, and webhooks.
  "src/integrations": [
    "src/moderation",
    "src/moderation/cases/outcome.ts",
    "src/observe",
    "src/feed",
    "src/outbox",
    "src/database",
    "src/bot-context.ts",
    "src/text",
  ],
  "src/reviews": [
    "src/rules",
    "src/moderation",
    "src/observe",
    "src/outbox",
    "src/database",
    "src/bot-context.ts",
    "src/limits",
    "src/languages",
    "src/text",
  ],
  // What is kept, for how long, and what is erased: of every part of the bot half.
  "src/retention": [
    "src/rules",
    "src/feed",
    "src/database:types",
    "src/bot-context.ts",
    "src/languages",
    "src/text",
  ],
  // A server's configuration as a file: of every part of the bot half.
  "src/server-config": [
    "src/contract",
    "src/database",
    "src/moderation",
    "src/rules",
    "src/reviews",
    "src/feed",
    "src/observe",
    "src/bot-context.ts",
    "src/languages",
    "src/text",
  ],
  "src/discord": [
    "src/contract",
    "src/feed",
    "src/moderation:types",
    "src/rules:types",
    "src/observe:types",
    "src/drawing:types",
    "src/bot-context.ts",
    "src/limits",
    "src/languages",
    "src/text",
  ],
  "src/drawing": ["src/limits", "src/text"],
  "src/queue": ["src/database"],
  commands: [
    "src/contract",
    "src/discord",
    "src/drawing",
    "src/moderation",
    "src/moderation/cases/outcome.ts",
    "src/rules",
    "src/reviews",
    "src/feed",
    "src/integrations",
    "src/observe",
    "src/database:types",
    "src/bot-context.ts",
    "src/limits",
    "src/languages",
    "src/text",
  ],
  workers: [
    "src/queue",
    "src/contract",
    "src/api",
    "src/api/operations",
    "src/observe",
    "src/rules",
    "src/reviews",
    "src/moderation",
    "src/feed",
    "src/integrations",
    "src/outbox",
    "src/retention",
    "src/discord",
    "src/database",
    "src/bot-context.ts",
    "src/text",
  ],

  // People at the same commands, in a browser instead of in Discord, and their programs.
  "src/console": [
    "commands",
    "src/discord",
    "src/moderation",
    "src/moderation/cases/outcome.ts",
    "src/rules",
    "src/reviews",
    "src/feed",
    "src/integrations",
    "src/observe:types",
    "src/database:types",
    "src/bot-context.ts",
    "src/web",
    "src/text",
  ],
  "src/sandbox": ["src/contract", "src/client", "src/web"],
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
  "src/log-lines.ts",
  "src/clock.ts",
  "src/async.ts",
  "src/group-by.ts",
  "src/listening.ts",
  "src/telemetry.ts",
  "src/spans.ts",
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
  fastify: ["src/api/http", "src/sandbox", "src/console", "src/web"],
  pg: ["src/database"],
  "@electric-sql/pglite": ["src/database"],
  piscina: ["src/thread-pool.ts"],
  "@observablehq/plot": ["src/drawing"],
  commander: ["src/cli"],
  "prom-client": ["src/metrics"],
  "@opentelemetry/api": ["src/tracing"],
  "@opentelemetry/exporter-trace-otlp-http": ["src/tracing"],
  "@opentelemetry/resources": ["src/tracing"],
  "@opentelemetry/sdk-trace-base": ["src/tracing"],
  linkedom: ["src/drawing"],
  "@resvg/resvg-wasm": ["src/drawing"],
};

const folders = [...Object.keys(importTable), ...assemblers].toSorted((a, b) => b.length - a.length);

/** The folder of the table that a file belongs to: the deepest. */
export function folderOf(path: string): string {
  return folders.find((folder) => path === folder || path.startsWith(`${folder}/`)) ?? path;
}
