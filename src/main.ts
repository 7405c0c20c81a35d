#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { parseConfig } from "./config.ts";
import { asAppError, explainSystemError, type AppError } from "./errors.ts";
import { exitWith } from "./last-words.ts";
import { findNear } from "./text/suggest.ts";

const usage = `castellan start                  everything in one process
castellan api                    only the embedded network
castellan bot | worker           the gateway, the background work; over one PostgreSQL
castellan sandbox                only the local Discord with its page
castellan network import FILE    sends a network file (- is standard input) to the running instance
castellan network export FILE    writes the running instance's network as a network file (- is standard output)
castellan backup FILE            writes a backup of the running instance (- is standard output)
castellan backup --portable FILE the same in a form for any later version, and from one kind of database to the other
castellan restore FILE           makes a new DATA_DIR of a backup (- is standard input)
castellan rules check FILE       reads a rule file and names its mistakes (- is standard input)
castellan rules schema           writes the JSON Schema of rule files, for editors
castellan rules test FILE --channel ID [--server ID] [--days 7]
                                 tries a rule file on what happened; nothing is done
castellan history erase FID      erases what a user wrote from all that is kept, when they ask for it
castellan help | version         this text; the version. --help after a command shows that command
Settings come from the environment; .env.example explains each.
`;

const commands = usage
  .split("\n")
  .filter((line) => line.startsWith("castellan "))
  .flatMap((line) => {
    const [written = ""] = line.slice("castellan ".length).split("  ", 1);
    return written.split(" | ").map((name) => ({ words: name.split(" ").filter(isWord), line }));
  });

/** Not an argument (FILE) or an option (--channel, [--days 7]). */
function isWord(word: string): boolean {
  return /^[a-z]+$/.test(word);
}

/** Each command loads only its own part: most of the program is not needed to check a file. */
async function run(words: readonly string[]): Promise<void> {
  const [command = "start", ...rest] = words;
  const line = [command, ...rest.slice(0, -1)].join(" ");
  const file = rest.at(-1);
  if (rest.length === 0) {
    if (command === "start" || command === "api" || command === "bot" || command === "worker") {
      const config = parseConfig();
      const { runRole } = await import("./cli/run-role.ts");
      return runRole(command, config);
    }
    if (command === "sandbox") {
      const { runSandbox } = await import("./cli/run-sandbox.ts");
      return runSandbox(parseConfig());
    }
    if (command === "help") return print(usage);
    if (["version", "--version", "-v"].includes(command)) return print(`${await readVersion()}\n`);
  }
  const asksHelp = words.findIndex((word) => word === "--help" || word === "-h");
  if (asksHelp >= 0) return printHelp(words.slice(0, asksHelp));
  if (line === "network import" && file) {
    const { importNetwork } = await import("./cli/import-network.ts");
    return importNetwork(parseConfig(), file, process.stdout);
  }
  if (line === "network export" && file) {
    const { exportNetwork } = await import("./cli/export-network.ts");
    return exportNetwork(parseConfig(), file, process.stdout);
  }
  if (line === "backup" && file) {
    const { backUp } = await import("./cli/back-up.ts");
    return backUp(parseConfig(), file, process.stdout, process.stderr);
  }
  if (line === "backup --portable" && file) {
    const { backUpPortable } = await import("./cli/back-up-portable.ts");
    return backUpPortable(parseConfig(), file, process.stdout, process.stderr);
  }
  if (line === "restore" && file) {
    const { restoreBackup } = await import("./cli/restore.ts");
    return restoreBackup(parseConfig(), file, process.stdout);
  }
  if (line === "rules" && file === "schema") {
    const { printRuleSchema } = await import("./cli/print-rule-schema.ts");
    return printRuleSchema(process.stdout);
  }
  if (line === "rules check" && file) {
    const { checkRules } = await import("./cli/check-rules.ts");
    return checkRules(file, process.stdout);
  }
  if (command === "rules" && rest[0] === "test") {
    const { testRules } = await import("./cli/test-rules.ts");
    return testRules(parseConfig(), rest.slice(1), process.stdout, process.stderr);
  }
  if (line === "history erase" && file) {
    const { eraseAuthor } = await import("./cli/erase-author.ts");
    return eraseAuthor(parseConfig(), file, process.stdout);
  }
  process.stderr.write(explainWords(words.filter((word) => word !== "")));
  process.exitCode = 2;
}

/** The usage of one command or group; all of it where there is none of that name. */
function printHelp(words: readonly string[]): void {
  const lines = beginningWith(words.filter(isWord));
  print(words.length > 0 && lines.length > 0 ? `${lines.join("\n")}\n` : usage);
}

function beginningWith(said: readonly string[]): string[] {
  const lines = commands.filter(({ words }) => said.every((word, at) => word === words[at]));
  return [...new Set(lines.map(({ line }) => line))];
}

/** Why words are no command: an argument is missing, or something near is meant, or nothing that is known. */
function explainWords(words: readonly string[]): string {
  const begun = beginningWith(words);
  if (begun.length > 0) return `castellan: missing argument. Usage:\n${begun.join("\n")}\n`;
  const names = [...new Set(commands.map((command) => command.words.join(" ")))];
  // What follows a name may be its arguments.
  const near = [words.slice(0, 2), words.slice(0, 1)]
    .map((some) => findNear(some.join(" "), names))
    .find((name) => name !== undefined && name !== words.slice(0, name.split(" ").length).join(" "));
  const unknown = `castellan: there is no command "${words.join(" ")}"`;
  if (near === undefined) return `${unknown}.\n\n${usage}`;
  return `${unknown}; did you mean "${near}"?\n${beginningWith(near.split(" ")).join("\n")}\n`;
}

function print(text: string): void {
  process.stdout.write(text);
}

async function readVersion(): Promise<string> {
  const manifest = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  // Our own manifest has a version.
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Older ones fail somewhere in a library, in words of their own. */
function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`castellan: needs Node 20.19 or later; this is ${process.version}.\n`);
  process.exit(1);
}

try {
  requireNode();
  await run(process.argv.slice(2));
} catch (error) {
  const known = asAppError(error);
  exitWith(1, known ? `castellan: ${describe(known)}\n` : `castellan failed: ${describeBug(error)}\n`);
}

function describe({ message, mistakes }: AppError): string {
  return [message, ...mistakes.map(({ path, message }) => `  ${`${path} ${message}`.trimStart()}`)].join(
    "\n",
  );
}

function describeBug(error: unknown): string {
  // What the system refused needs no look at our code.
  const refused = explainSystemError(error);
  if (refused !== undefined) return `${error instanceof Error ? error.message : ""} (${refused})`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
