import { asAppError, explainSystemError, type AppError } from "../errors.ts";
import { exitWith } from "../last-words.ts";
import { runCommandLine } from "./command-line.ts";
import { summarizeMistakes } from "./summarize-mistakes.ts";
import { exitOnStdoutError } from "./stdout-errors.ts";

/** Runs the command in these words. If it fails, the process ends with exit code 1 and the reason as its last line. */
export async function runMain(words: readonly string[]): Promise<void> {
  exitOnStdoutError();
  try {
    await runCommandLine(words);
  } catch (error) {
    const known = asAppError(error);
    exitWith(1, known ? `castellan: ${describe(known)}\n` : `castellan failed: ${describeBug(error)}\n`);
  }
}

function describe({ message, mistakes }: AppError): string {
  return [message, ...summarizeMistakes(mistakes).map((line) => `  ${line}`)].join("\n");
}

function describeBug(error: unknown): string {
  // A refusal by the operating system needs no stack trace of our code.
  const refused = explainSystemError(error);
  if (refused !== undefined) return `${error instanceof Error ? error.message : ""} (${refused})`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
