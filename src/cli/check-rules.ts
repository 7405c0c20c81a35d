import { readFile, stat } from "node:fs/promises";
import { AppError, asAppError } from "../errors.ts";
import { parseRules } from "../rules/language/parse-rules.ts";
import { sourceLimits } from "../rules/language/read-source.ts";

/** Reads a rule file as `/rule import` would and says what it found. */
export async function checkRules(file: string, out: NodeJS.WritableStream): Promise<void> {
  const text = await read(file);
  try {
    const { rules } = parseRules(text);
    const lines = rules.map(({ id, mode, on, actions }) => {
      const deeds = actions.map((action) => action.sentence).join(", ");
      return `  ${mode.padEnd(8)} ${id}: on ${on.join(", ")}: ${deeds}`;
    });
    out.write(
      `${[`${file}: no mistakes. Rules, in the order in which they are asked:`, ...lines].join("\n")}\n`,
    );
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    const mistakes = known.mistakes.map(({ path, message }) => ({ path: `${path}:`, message }));
    throw new AppError("invalid_file", `${file}: ${known.message}`, { cause: error, mistakes });
  }
}

/** Asks for the size first: a file that is too large is not read at all. */
async function read(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size <= sourceLimits.bytes) return await readFile(file, "utf8");
  } catch (cause) {
    throw new AppError("invalid_file", `${file} cannot be read.`, { cause });
  }
  throw new AppError(
    "invalid_file",
    `${file} is too large: at most ${sourceLimits.bytes / 1024} kB are read.`,
  );
}
