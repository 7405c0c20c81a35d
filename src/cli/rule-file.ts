import { AppError, asAppError } from "../errors.ts";
import { parseRules } from "../rules/language/parse-rules.ts";
import { sourceLimits } from "../rules/language/read-source.ts";
import { requireSound } from "../rules/language/require-sound.ts";
import { makeRuleSchema } from "../rules/language/rule-schema.ts";
import type { RuleSet } from "../rules/evaluate/rule-set.ts";
import type { TextOutput } from "../text/show-controls.ts";
import { readTextFile } from "./text-file.ts";

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
export function readSoundFile(file: string): Promise<RuleSet> {
  return readRuleFile(file, (text) => requireSound(parseRules(text)));
}

/** Writes the JSON Schema of rule files. */
export function printRuleSchema(out: TextOutput): void {
  out.write(`${JSON.stringify(makeRuleSchema(), null, 2)}\n`);
}

/** Reads a rule file like `/rule import`. Throws `invalid_file` with its mistakes by line and column. */
export async function readRuleFile(
  file: string,
  read: (text: string) => RuleSet = parseRules,
): Promise<RuleSet> {
  const text = await readTextFile(file, sourceLimits.bytes);
  try {
    return read(text);
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    const mistakes = known.mistakes.map(({ path, message }) => ({ path: `${path}:`, message }));
    throw new AppError("invalid_file", `${file}: ${known.message}`, { cause: error, mistakes });
  }
}
