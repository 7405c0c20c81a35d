// @ts-nocheck
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Round, RoundResult } from "./load.ts";

export interface LoadProcess {
  /** What a round gave, with the processor time of a call in this process in microseconds; throws on any failure. */
  run(round: Round): Promise<RoundResult & { cost: number }>;
  end(): void;
}

export function startLoad(): LoadProcess {
  const load = fork(join(import.meta.dirname, "load.js"));
  return {
    async run(round) {
      const before = process.cpuUsage();
      load.send(round);
      // What the load process sends is a RoundResult.
      const [result] = (await once(load, "message")) as [RoundResult];
      if (result.failures > 0)
        throw new Error(`${round.method} ${round.url}: ${result.failures} calls failed`);
      const { user, system } = process.cpuUsage(before);
      return { ...result, cost: (user + system) / result.answers };
    },
    end: () => void load.kill(),
  };
}
