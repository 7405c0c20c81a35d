import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { AppError } from "../../errors.ts";
import { showControls } from "../../text/show-controls.ts";

/** A person at a terminal, who is asked one thing after the other. */
export interface Terminal {
  /** The line that is typed; of a hidden one nothing is shown. Throws `expired` when they leave (Ctrl-C, Ctrl-D). */
  ask(question: string, hidden?: boolean): Promise<string>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  close(): void;
}

/**
 * Lines that come before they are asked for wait, as when several are pasted at once. They are not shown: between two questions
 * nobody knows whether what is typed is meant for a hidden one.
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
      // The beginning of a line that was typed ahead would be shown with the question.
      if (!isHidden) reader.write(null, { ctrl: true, name: "u" });
      output.write(question);
      reader.setPrompt(question);
      shows = !isHidden && ahead === undefined;
      try {
        return (ahead ?? (await nextLine())).trim();
      } finally {
        // The Enter was shown where the line was.
        if (!shows) output.write("\n");
        shows = false;
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
