/** Milliseconds between two lines where there is no terminal whose line can be written over. */
const quietInterval = 10_000;
const second = 1000;

/** How far something long has come, for who waits for it. */
export interface Progress {
  /** On a terminal alone: the same line again. */
  say(line: string): void;
  /** What is being waited for, of which no more is known than since when. */
  wait(what: string): void;
  end(): void;
}

/** Writes one line over and over on a terminal; elsewhere a line every ten seconds of waiting. */
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
