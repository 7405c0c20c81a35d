import { readFileSync } from "node:fs";
import { findMistake } from "../../config.ts";
import { AppError, explainSystemError } from "../../errors.ts";
import { showControls } from "../../text/show-controls.ts";
import type { OptionName } from "./setup-options.ts";
import type { Terminal } from "./terminal.ts";

/** The text of a file that holds one secret. Throws `invalid_configuration`. */
export function readSecretFile(file: string): string {
  try {
    const text = readFileSync(file, "utf8").trim();
    if (text !== "") return text;
  } catch (cause) {
    const why = explainSystemError(cause) ?? String(cause);
    throw new AppError("invalid_configuration", `${file} cannot be read: ${why}.`, { cause });
  }
  throw new AppError("invalid_configuration", `${file} is empty.`);
}

export interface Question {
  /** The setting that the answer is for. */
  name: string;
  /** The option that gives it. */
  option: OptionName;
  question: string;
  /** Said before it is asked. */
  explain?: string;
  /** Where nobody said anything, now or earlier. */
  fallback?: string | undefined;
  hidden?: boolean;
  /** How an earlier answer is shown that holds a secret. */
  mask?: (answer: string) => string;
  /** What is wrong with an answer, beyond its form. */
  check?: (answer: string) => Promise<string | undefined>;
}

export interface Answers {
  /** The answer to a question: given with the command or by the environment, else asked for, else as it was. Throws `invalid_configuration`. */
  text(this: void, question: Question): Promise<string>;
  /** Whether a person can be asked. */
  terminal: Terminal | undefined;
  say(this: void, text: string): void;
}

interface AnswerSources {
  /** By the names of settings: from the command line and the environment. */
  given: Readonly<Record<string, string | undefined>>;
  /** From the run before. */
  earlier: Readonly<Record<string, string | undefined>>;
  terminal: Terminal | undefined;
  out: NodeJS.WritableStream;
}

/** Where nobody can be asked, all that is missing is told at once. Throws `invalid_configuration`. */
export function requireAnswers(
  { given, earlier, terminal }: AnswerSources,
  needed: readonly (readonly [setting: string, option: OptionName])[],
): void {
  if (terminal) return;
  const mistakes = needed
    .filter(([name]) => given[name] === undefined && earlier[name] === undefined)
    .map(([path, option]) => ({
      path,
      message: `is missing: give --${option}, or set it in the environment`,
    }));
  if (mistakes.length === 0) return;
  throw new AppError("invalid_configuration", "Standard input is no terminal, so nothing is asked, and:", {
    mistakes,
  });
}

/** An answer that was given is not asked for; one that is wrong is said to be so, and asked for again where somebody is there. */
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
            `${name} is missing: give --${option}, or set ${name} in the environment.`,
          );
        }
        const mistake = await examine(question, answer);
        if (mistake === undefined) return answer;
        throw new AppError("invalid_configuration", `${name} ${mistake}`.replace(/([^.])$/, "$1."));
      }
      if (question.explain !== undefined) say(`\n${question.explain}`);
      const keep = before === undefined ? "" : hidden ? " [Enter: as before]" : ` [${mask(before)}]`;
      for (;;) {
        const answer = (await terminal.ask(`${question.question}${keep}: `, hidden)) || before;
        if (answer === undefined) continue;
        const mistake = await examine(question, answer);
        if (mistake === undefined) return answer;
        say(`  That cannot be used: it ${mistake}`.replace(/([^.])$/, "$1."));
      }
    },
  };
}
