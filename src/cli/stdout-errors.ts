import { explainSystemError } from "../errors.ts";
import { exitWith } from "../last-words.ts";

/** From now on a command ends, with exit code 1, once what it says cannot be written: a reader that went away knows why. */
export function exitOnStdoutError(): void {
  process.stdout.on("error", end);
}

/** What runs until it is told to end has more to do than to be heard. */
export function ignoreStdoutErrors(): void {
  process.stdout.off("error", end).on("error", () => {});
}

function end(error: Error): never {
  const hasGone = "code" in error && error.code === "EPIPE";
  const why = explainSystemError(error) ?? error.message;
  return exitWith(1, hasGone ? "" : `castellan: standard output cannot be written: ${why}\n`);
}
