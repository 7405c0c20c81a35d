import { AppError, type Mistake } from "../../errors.ts";

/** One rule of a file, as it stands in a form by itself. */
interface RuleInFile {
  /** The file up to the rule. */
  before: string;
  /** The rule as it was written. */
  written: string;
}

/** A refusal of a file in which one rule was edited: where the mistake is in what that person sees, the rule alone. */
export function mistakesOfRule(refusal: AppError, rule: RuleInFile): AppError {
  const mistakes = refusal.mistakes.map((mistake) => place(mistake, rule));
  return new AppError(refusal.code, refusal.message, { mistakes, cause: refusal });
}

function place({ path, message }: Mistake, { before, written }: RuleInFile): Mistake {
  const [, line, column] = /^line (\d+), column (\d+)$/.exec(path) ?? [];
  if (line === undefined) return { path, message };
  const beginning = before.split("\n");
  const own = Number(line) - beginning.length + 1;
  // All lines of a rule are indented as its first one is, behind the list's dash.
  const indent = beginning.at(-1)?.length ?? 0;
  if (own < 1 || own > written.trim().split("\n").length) {
    return { path: `elsewhere in the file, ${path}`, message };
  }
  const ownColumn = Math.max(1, Number(column) - indent);
  return { path: `line ${own}, column ${ownColumn}`, message: message.replace(/^rules\[\d+\](\.|: )?/, "") };
}
