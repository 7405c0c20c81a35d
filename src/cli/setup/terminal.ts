import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { AppError } from "../../errors.ts";
import { showControls } from "../../text/show-controls.ts";

/** A person at a terminal, who is asked one question after the other. */
export interface Terminal {
  /** Reads a typed line; a hidden one is not echoed. Throws `expired` on Ctrl-C and Ctrl-D. */
  ask(question: string, hidden?: boolean): Promise<string>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  close(): void;
}

/**
 * Lines that arrive before their question are queued, for example when several are pasted at once. They are not
 * echoed, because they may answer a hidden question.
 */
export function openTerminal(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Terminal {
  let shows = false;
  const shown = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (shows) output.write(chunk);
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
    async ask(text, isHidden = false) {
      const question = showControls(text);
      const ahead = lines.shift();
      // Otherwise the beginning of a line that was typed ahead would be shown with the question.
      if (!isHidden) reader.write(null, { ctrl: true, name: "u" });
      output.write(question);
      reader.setPrompt(question);
      shows = !isHidden && ahead === undefined;
      try {
        return (ahead ?? (await nextLine())).trim();
      } finally {
        // Enter was already echoed.
        if (!shows) output.write("\n");
        shows = false;
      }
    },
    close: () => reader.close(),
  };

  function nextLine(): Promise<string> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(new AppError("expired", "Input ended before setup was finished."));
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
