import { AppError } from "../../errors.ts";

/** Runs tasks in turn: one at a time for each name, a few at a time altogether, round robin by name. */
export interface FairQueue {
  /** Throws `rate_limited` where too many tasks of this name are waiting. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** `together` tasks run at once; `waiting` of one name may wait. */
export function createFairQueue(together: number, waiting: number): FairQueue {
  /** Waiting tasks by name, in the order of their next turns. */
  const lines = new Map<string, (() => void)[]>();
  const busy = new Set<string>();

  function next(): void {
    for (const [name, [begin, ...rest]] of lines) {
      if (busy.size >= together) return;
      if (busy.has(name) || !begin) continue;
      lines.delete(name);
      if (rest.length > 0) lines.set(name, rest);
      busy.add(name);
      begin();
    }
  }

  /** The others come first now. */
  function end(name: string): void {
    const line = lines.get(name);
    lines.delete(name);
    if (line) lines.set(name, line);
    busy.delete(name);
    next();
  }

  return {
    async run(name, work) {
      const line = lines.get(name) ?? [];
      if (line.length >= waiting) {
        throw new AppError(
          "rate_limited",
          "Castellan is still busy with what was asked before. Try again in a moment.",
        );
      }
      const turn = new Promise<void>((begin) => line.push(begin));
      lines.set(name, line);
      next();
      await turn;
      try {
        return await work();
      } finally {
        end(name);
      }
    },
  };
}
