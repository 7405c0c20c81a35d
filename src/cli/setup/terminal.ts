import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { AppError } from "../../errors.ts";

/** A person at a terminal, who is asked one thing after the other. */
export interface Terminal {
  /** The line that is typed; of a hidden one nothing is shown. Throws `expired` when they leave (Ctrl-C, Ctrl-D). */
  ask(question: string, hidden?: boolean): Promise<string>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  close(): void;
}

/** Lines that come before they are asked for wait, as when several are pasted at once. */
export function openTerminal(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Terminal {
  let hidden = false;
  const shown = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!hidden) output.write(chunk);
      done();
    },
  });
  const lines: string[] = [];
  const left = new AbortController();
  let waiting: ((line: string) => void) | undefined;
  const reader = createInterface({ input, output: shown, terminal: true, historySize: 0 });
  reader.on("line", (line) => {
    if (waiting) waiting(line);
    else lines.push(line);
  });
  reader.on("SIGINT", () => left.abort());
  reader.on("close", () => left.abort());
  return {
    signal: left.signal,
    async ask(question, isHidden = false) {
      reader.setPrompt(question);
      reader.prompt();
      hidden = isHidden;
      try {
        return (lines.shift() ?? (await nextLine())).trim();
      } finally {
        hidden = false;
        // The Enter was not shown either.
        if (isHidden) output.write("\n");
      }
    },
    close: () => reader.close(),
  };

  function nextLine(): Promise<string> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(new AppError("expired", "Ended before it was finished."));
      if (left.signal.aborted) return leave();
      left.signal.addEventListener("abort", leave, { once: true });
      waiting = (line) => {
        waiting = undefined;
        left.signal.removeEventListener("abort", leave);
        resolve(line);
      };
    });
  }
}
