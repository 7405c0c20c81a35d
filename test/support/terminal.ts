import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../dist/src/main.js", import.meta.url));

/** What gives a program a terminal; not every machine has it. */
export const terminalProgram = "/usr/bin/script";

/** What the terminal is told about its cursor. */
const cursorMoves = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;?]*[A-Za-z]`, "g");

export interface Typed {
  /** Each question, and what is typed when it is there. */
  answers: [question: string, answer: string][];
  /** What the program waits for after the last of them, and what happens elsewhere then. */
  until: string;
  meanwhile: () => Promise<unknown>;
}

/** `castellan …` at a terminal, with somebody who types; gives what the terminal showed, and the exit code. */
export async function typeInto(
  words: string[],
  settings: Record<string, string>,
  { answers, until, meanwhile }: Typed,
): Promise<{ shown: string; code: number }> {
  const command = [process.execPath, main, ...words].join(" ");
  const child = spawn(terminalProgram, ["-qfec", command, "/dev/null"], {
    env: { ...settings, TERM: "dumb", COLUMNS: "200" },
    stdio: "pipe",
  });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
  const exit = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
  let from = 0;
  const see = async (text: string) => {
    while (!shown.includes(text, from)) {
      if (child.exitCode !== null) throw new Error(`it ended before it said ${text}: ${shown}`);
      await sleep(20);
    }
    from = shown.indexOf(text, from) + text.length;
  };
  for (const [question, answer] of answers) {
    await see(question);
    child.stdin.write(`${answer}\r`);
  }
  await see(until);
  await meanwhile();
  const code = await exit;
  return { shown: shown.replaceAll("\r", "").replaceAll(cursorMoves, ""), code };
}
