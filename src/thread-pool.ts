import type { Piscina } from "piscina";
import type { EntryPoint } from "./entry-point.ts";

type Options = NonNullable<ConstructorParameters<typeof Piscina>[0]>;
type RunOptions = NonNullable<Parameters<Piscina["run"]>[1]>;

/** Threads for one file's functions; they and their manager are loaded with the first task. */
export interface ThreadPool {
  /** Throws what the task throws, or why the pool cannot start; the next call tries to start it again. */
  run(task: unknown, options: RunOptions): Promise<unknown>;
  /** Stops the threads, even those at work. */
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
      // The caller knows the result's type.
      return pool.run(task, runOptions) as Promise<unknown>;
    },
    async close() {
      const pool = await begun?.catch(() => undefined);
      await pool?.destroy();
    },
  };
}
