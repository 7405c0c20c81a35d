import { explainSystemError } from "../errors.ts";
import { exitWith } from "../last-words.ts";

/** From now on a command ends with exit code 1 if its output cannot be written. No message is needed if the reader is gone. */
export function exitOnStdoutError(): void {
  process.stdout.on("error", end);
}

/** A long-running role continues without its output. */
export function ignoreStdoutErrors(): void {
  process.stdout.off("error", end).on("error", () => {});
}

function end(error: Error): never {
  const hasGone = "code" in error && error.code === "EPIPE";
  const why = explainSystemError(error) ?? error.message;
  return exitWith(1, hasGone ? "" : `castellan: standard output cannot be written: ${why}\n`);
}
