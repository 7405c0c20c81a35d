import { readFile } from "node:fs/promises";
import { AppError, asAppError } from "../errors.ts";
import { parseRules } from "../rules/language/parse-rules.ts";

/** Reads a rule file as `/rule import` would and says what it found. */
export async function checkRules(file: string, out: NodeJS.WritableStream): Promise<void> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new AppError("invalid_file", `${file} cannot be read.`, { cause });
  });
  try {
    const { rules } = parseRules(text);
    out.write(`${file}: ${rules.length} rules, no mistakes\n`);
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    const lines = known.mistakes.map(({ path, message }) => `  ${path}: ${message}`);
    throw new AppError("invalid_file", [`${file} has mistakes:`, ...lines].join("\n"), { cause: error });
  }
}
