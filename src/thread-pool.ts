import type { Piscina } from "piscina";
import type { EntryPoint } from "./entry-point.ts";

type Options = NonNullable<ConstructorParameters<typeof Piscina>[0]>;
type RunOptions = NonNullable<Parameters<Piscina["run"]>[1]>;

/** Threads for one file's functions: they, and what manages them, are loaded when the first task comes. */
export interface ThreadPool {
  /** Throws what the task threw, and where the pool cannot be begun: whoever comes next tries that again. */
  run(task: unknown, options: RunOptions): Promise<unknown>;
  /** Ends its threads with whatever they do. */
  close(): Promise<void>;
}

export function createThreadPool({ file, execArgv }: EntryPoint, options: Options): ThreadPool {
  let begun: Promise<Piscina> | undefined;

  async function begin(): Promise<Piscina> {
    try {
      const { Piscina } = await import("piscina");
      return new Piscina({ filename: file, execArgv, ...options });
    } catch (error) {
      begun = undefined;
      throw error;
    }
  }

  return {
    async run(task, runOptions) {
      const pool = await (begun ??= begin());
      // What a file's functions give, its caller knows.
      return pool.run(task, runOptions) as Promise<unknown>;
    },
    async close() {
      const pool = await begun?.catch(() => undefined);
      await pool?.destroy();
    },
  };
}
