#!/usr/bin/env node
import { runCommandLine } from "./cli/command-line.ts";
import { asAppError, explainSystemError, type AppError } from "./errors.ts";
import { exitWith } from "./last-words.ts";

try {
  requireNode();
  await runCommandLine(process.argv.slice(2));
} catch (error) {
  const known = asAppError(error);
  exitWith(1, known ? `castellan: ${describe(known)}\n` : `castellan failed: ${describeBug(error)}\n`);
}

/** Older ones fail somewhere in a library, in words of their own. */
function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`castellan: needs Node 20.19 or later; this is ${process.version}.\n`);
  process.exit(1);
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
