import { findMistake } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { readSecretFile } from "../../settings-file.ts";
import { showControls } from "../../text/show-controls.ts";
import type { OptionName } from "./setup-options.ts";
import type { Terminal } from "./terminal.ts";

/** The text of a file that contains one secret. Throws `invalid_configuration`. */
export function requireSecret(file: string): string {
  const found = readSecretFile(file);
  const text = "value" in found ? found.value.trim() : "";
  if (text !== "") return text;
  throw new AppError("invalid_configuration", `${file} ${"value" in found ? "is empty" : found.mistake}.`);
}

export interface Question {
  /** The name of the answer's setting. */
  name: string;
  /** The name of the answer's option. */
  option: OptionName;
  question: string;
  /** Printed before the question. */
  explain?: string;
  /** The default if there is no answer, now or from an earlier run. */
  fallback?: string | undefined;
  hidden?: boolean;
  /** How to display an earlier answer that contains a secret. */
  mask?: (answer: string) => string;
  /** Checks an answer beyond its form, and returns its mistake. */
  check?: (answer: string) => Promise<string | undefined>;
}

export interface Answers {
  /** An answer: from the command or the environment, else asked for, else the earlier one. Throws `invalid_configuration`. */
  text(this: void, question: Question): Promise<string>;
  /** Whether a person can be asked. */
  terminal: Terminal | undefined;
  say(this: void, text: string): void;
}

interface AnswerSources {
  /** By setting name: from the command line and the environment. */
  given: Readonly<Record<string, string | undefined>>;
  /** From the previous run. */
  earlier: Readonly<Record<string, string | undefined>>;
  terminal: Terminal | undefined;
  out: NodeJS.WritableStream;
}

/** If nobody can be asked, all missing settings are reported at once. Throws `invalid_configuration`. */
export function requireAnswers(
  { given, earlier, terminal }: AnswerSources,
  needed: readonly (readonly [setting: string, option: OptionName])[],
): void {
  if (terminal) return;
  const mistakes = needed
    .filter(([name]) => given[name] === undefined && earlier[name] === undefined)
    .map(([path, option]) => ({
      path,
      message: `is missing: pass --${option}, or set it in the environment`,
    }));
  if (mistakes.length === 0) return;
  throw new AppError("invalid_configuration", "Standard input is not a terminal, so setup cannot ask, and:", {
    mistakes,
  });
}

/** A given answer is not asked for. If it is wrong, the mistake is shown, and a person at a terminal is asked again. */
export function createAnswers({ given, earlier, terminal, out }: AnswerSources): Answers {
  const say = (text: string) => void out.write(`${showControls(text)}\n`);

  const examine = async ({ name, check }: Question, answer: string) =>
    findMistake(name, answer) ?? (await check?.(answer));

  return {
    terminal,
    say,
    async text(question) {
      const { name, option, hidden = false, fallback, mask = (answer) => answer } = question;
      const known = given[name];
      const before = earlier[name] ?? fallback;
      if (known !== undefined || !terminal) {
        const answer = known ?? before;
        if (answer === undefined) {
          throw new AppError(
            "invalid_configuration",
            `${name} is missing: pass --${option}, or set ${name} in the environment.`,
          );
        }
        const mistake = await examine(question, answer);
        if (mistake === undefined) return answer;
        throw new AppError("invalid_configuration", `${name} ${mistake}`.replace(/([^.])$/, "$1."));
      }
      if (question.explain !== undefined) say(`\n${question.explain}`);
      const keep = before === undefined ? "" : hidden ? " [Enter: keep]" : ` [${mask(before)}]`;
      for (;;) {
        const answer = (await terminal.ask(`${question.question}${keep}: `, hidden)) || before;
        if (answer === undefined) continue;
        const mistake = await examine(question, answer);
        if (mistake === undefined) return answer;
        say(`  Try another value: it ${mistake}`.replace(/([^.])$/, "$1."));
      }
    },
  };
}
