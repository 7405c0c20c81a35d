import { readRuleFile } from "./read-rule-file.ts";

/** Reads a rule file as `/rule import` would and says what it found. */
export async function checkRules(file: string, out: NodeJS.WritableStream): Promise<void> {
  const { rules } = await readRuleFile(file);
  const lines = rules.map(({ id, mode, on, actions }) => {
    const deeds = actions.map((action) => action.sentence).join(", ");
    return `  ${mode.padEnd(8)} ${id}: on ${on.join(", ")}: ${deeds}`;
  });
  const head =
    rules.length > 0
      ? `${file}: no mistakes. Rules, in the order in which they are asked:`
      : `${file}: no mistakes, but no rule either.`;
  out.write(`${[head, ...lines].join("\n")}\n`);
}
