import { AppError, type Mistake } from "../../errors.ts";

/** One rule of a file, shown alone in a form. */
interface RuleInFile {
  /** The file up to the rule. */
  before: string;
  /** The rule as it was written. */
  written: string;
}

/** Translates the error of a file with one edited rule to positions in the rule that the person sees. */
export function mistakesOfRule(refusal: AppError, rule: RuleInFile): AppError {
  const mistakes = refusal.mistakes.map((mistake) => place(mistake, rule));
  return new AppError(refusal.code, refusal.message, { mistakes, cause: refusal });
}

function place({ path, message }: Mistake, { before, written }: RuleInFile): Mistake {
  const [, line, column] = /^line (\d+), column (\d+)$/.exec(path) ?? [];
  if (line === undefined) return { path, message };
  const beginning = before.split("\n");
  const own = Number(line) - beginning.length + 1;
  // All lines of a rule are indented like its first, after the list's dash.
  const indent = beginning.at(-1)?.length ?? 0;
  if (own < 1 || own > written.trim().split("\n").length) {
    return { path: `elsewhere in the file, ${path}`, message };
  }
  const ownColumn = Math.max(1, Number(column) - indent);
  return { path: `line ${own}, column ${ownColumn}`, message: message.replace(/^rules\[\d+\](\.|: )?/, "") };
}
