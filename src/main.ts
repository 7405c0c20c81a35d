#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { parseConfig } from "./config.ts";
import { asAppError, type AppError } from "./errors.ts";

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
Settings come from the environment; .env.example explains each.
`;

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
    if (command === "help" || command === "--help" || command === "-h") return print(usage);
    if (command === "--version") return print(`${await readVersion()}\n`);
  }
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
  const said = words.filter((word) => word !== "");
  const begun = usage.split("\n").filter((line) => {
    const [name, ...written] = line.split("  ", 1).join("").split(" ");
    return (
      name === "castellan" && said.length < written.length && said.every((word, at) => word === written[at])
    );
  });
  if (begun.length > 0)
    process.stderr.write(`castellan: something is missing. Write:\n${begun.join("\n")}\n`);
  else process.stderr.write(`castellan: there is no command "${words.join(" ")}".\n\n${usage}`);
  process.exitCode = 2;
}

function print(text: string): void {
  process.stdout.write(text);
}

async function readVersion(): Promise<string> {
  const manifest = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  // Our own manifest has a version.
  return (JSON.parse(manifest) as { version: string }).version;
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const known = asAppError(error);
  process.stderr.write(
    known ? `castellan: ${describe(known)}\n` : `castellan failed: ${describeBug(error)}\n`,
  );
  process.exit(1);
}

function describe({ message, mistakes }: AppError): string {
  return [message, ...mistakes.map(({ path, message }) => `  ${path} ${message}`)].join("\n");
}

function describeBug(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
