import { readFile, stat } from "node:fs/promises";
import { AppError } from "../errors.ts";
import { parseRules } from "./language/parse-rules.ts";
import { sourceLimits } from "./language/read-source.ts";

/** Checks a rule file for `castellan rules check` and says what is in it. Throws `invalid_file` with every mistake. */
export async function checkRules(path: string): Promise<string> {
  const { rules } = parseRules(await read(path));
  const lines = rules.map(({ id, mode, on, actions }) => {
    const deeds = actions.map((action) => action.sentence).join(", ");
    return `${mode.padEnd(8)} ${id}: on ${on.join(", ")}: ${deeds}`;
  });
  const count = rules.length === 1 ? "one rule" : `${rules.length} rules`;
  return [`${path}: no mistakes, ${count}, in this order:`, ...lines].join("\n");
}

async function read(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= sourceLimits.bytes) return await readFile(path, "utf8");
  } catch (error) {
    throw new AppError("invalid_file", `${path} could not be read.`, { cause: error });
  }
  throw new AppError(
    "invalid_file",
    `${path} is too large: at most ${sourceLimits.bytes / 1024} kB are read.`,
  );
}
