import { readFile, stat } from "node:fs/promises";
import { AppError, asAppError, explainSystemError } from "../errors.ts";
import { parseRules } from "../rules/language/parse-rules.ts";
import { sourceLimits } from "../rules/language/read-source.ts";
import { makeRuleSchema } from "../rules/language/rule-schema.ts";
import { decodeUtf8 } from "../text/decode-utf8.ts";
import type { RuleSet } from "../rules/evaluate/rule-set.ts";
import type { TextOutput } from "../text/show-controls.ts";

/** Checks a rule file like `/rule import` and prints the result. */
export async function checkRules(file: string, out: TextOutput): Promise<void> {
  const { rules } = await readSoundFile(file);
  const lines = rules.map(({ id, mode, on, actions }) => {
    const does = actions.map(({ sentence }) => sentence).join(", ");
    return `  ${mode.padEnd(8)} ${id}: on ${on.join(", ")}: ${does}`;
  });
  const head =
    rules.length > 0
      ? `${file}: no mistakes. Rules, in their order of evaluation:`
      : `${file}: no mistakes, but also no rules.`;
  out.write(`${[head, ...lines].join("\n")}\n`);
}

/** Reads a rule file all of whose conditions can work. Throws `invalid_file`. */
export async function readSoundFile(file: string): Promise<RuleSet> {
  const ruleSet = await readRuleFile(file);
  const { remarks } = ruleSet;
  if (remarks.length === 0) return ruleSet;
  const count = remarks.length === 1 ? "a condition" : `${remarks.length} conditions`;
  const mistakes = remarks.map(({ path, message }) => ({ path: `${path}:`, message }));
  throw new AppError("invalid_file", `${file}: The rules have ${count} that cannot work as written.`, {
    mistakes,
  });
}

/** Writes the JSON Schema of rule files. */
export function printRuleSchema(out: TextOutput): void {
  out.write(`${JSON.stringify(makeRuleSchema(), null, 2)}\n`);
}

/** Reads a rule file like `/rule import`. Throws `invalid_file` with its mistakes by line and column. */
export async function readRuleFile(file: string): Promise<RuleSet> {
  const text = await read(file);
  try {
    return parseRules(text);
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    const mistakes = known.mistakes.map(({ path, message }) => ({ path: `${path}:`, message }));
    throw new AppError("invalid_file", `${file}: ${known.message}`, { cause: error, mistakes });
  }
}

/** Checks the size first, so that a file that is too large is not read at all. "-" is standard input. */
async function read(file: string): Promise<string> {
  try {
    if (file === "-") return await readStandardInput();
    const found = await stat(file);
    if (found.isDirectory()) throw new AppError("invalid_file", `${file} is a directory. Give a file.`);
    if (found.size <= sourceLimits.bytes) return decodeUtf8(await readFile(file), file);
  } catch (cause) {
    if (asAppError(cause)) throw cause;
    throw new AppError(
      "invalid_file",
      `${file} cannot be read: ${explainSystemError(cause) ?? String(cause)}.`,
      { cause },
    );
  }
  throw new AppError(
    "invalid_file",
    `${file} is too large: at most ${sourceLimits.bytes / 1024} kB are read.`,
  );
}

/** Stops reading at the size limit. */
async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > sourceLimits.bytes) break;
  }
  return decodeUtf8(Buffer.concat(chunks), "Standard input");
}
