/** Milliseconds between two progress lines if the output is not a terminal. */
const quietInterval = 10_000;
const second = 1000;

/** Shows the progress of a long operation to the waiting user. */
export interface Progress {
  /** Only on a terminal: overwrites the same line. */
  say(line: string): void;
  /** The operation being waited for, if only its start time is known. */
  wait(what: string): void;
  end(): void;
}

/** Overwrites one line on a terminal; elsewhere writes a line every ten seconds. */
export function createProgress(out: NodeJS.WriteStream): Progress {
  let timer: NodeJS.Timeout | undefined;
  let longest = 0;
  const overwrite = (line: string) => {
    longest = Math.max(longest, line.length);
    out.write(`\r${line.padEnd(longest)}`);
  };
  return {
    say: (line) => {
      if (out.isTTY) overwrite(line);
    },
    wait(what) {
      const begun = performance.now();
      const tell = () => {
        const line = `${what}: ${Math.round((performance.now() - begun) / second)} s`;
        if (out.isTTY) overwrite(line);
        else out.write(`${line}\n`);
      };
      clearInterval(timer);
      if (out.isTTY) tell();
      timer = setInterval(tell, out.isTTY ? second : quietInterval).unref();
    },
    end() {
      clearInterval(timer);
      if (out.isTTY && longest > 0) out.write("\n");
    },
  };
}
