#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { importNetwork } from "./cli/import-network.ts";
import { checkRules } from "./cli/check-rules.ts";
import { runRole } from "./cli/run-role.ts";
import { runSandbox } from "./cli/run-sandbox.ts";
import { parseConfig } from "./config.ts";
import { asAppError } from "./errors.ts";

const usage = `castellan start                  everything in one process
castellan api                    only the embedded network
castellan bot | worker           the gateway, the background work; over one PostgreSQL
castellan sandbox                only the local Discord with its page
castellan network import FILE    sends a network file (- is standard input) to the running instance
castellan rules check FILE       reads a rule file and names its mistakes
Settings come from the environment; .env.example explains each.
`;

async function run(words: readonly string[]): Promise<void> {
  const [command = "start", ...rest] = words;
  const line = [command, ...rest.slice(0, -1)].join(" ");
  const file = rest.at(-1);
  if (rest.length === 0) {
    if (command === "start" || command === "api" || command === "bot" || command === "worker") {
      return runRole(command, parseConfig());
    }
    if (command === "sandbox") return runSandbox(parseConfig());
    if (command === "help" || command === "--help" || command === "-h") return print(usage);
    if (command === "--version") return print(`${await readVersion()}\n`);
  }
  if (line === "network import" && file) return importNetwork(parseConfig(), file, process.stdout);
  if (line === "rules check" && file) return checkRules(file, process.stdout);
  process.stderr.write(`castellan: there is no command "${words.join(" ")}".\n\n${usage}`);
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
  process.stderr.write(known ? `castellan: ${known.message}\n` : `castellan failed: ${describeBug(error)}\n`);
  process.exit(1);
}

function describeBug(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
