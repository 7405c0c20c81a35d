import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Round, RoundResult } from "./load.ts";

export interface LoadProcess {
  /** Runs a round; adds this process's processor time per call, in microseconds. Throws if any request failed. */
  run(round: Round): Promise<RoundResult & { cost: number }>;
  end(): void;
}

export function startLoad(): LoadProcess {
  const load = fork(join(import.meta.dirname, "load.js"));
  return {
    async run(round) {
      const before = process.cpuUsage();
      load.send(round);
      // The load process sends a RoundResult.
      const [result] = (await once(load, "message")) as [RoundResult];
      if (result.failures > 0)
        throw new Error(`${round.method} ${round.url}: ${result.failures} calls failed`);
      const { user, system } = process.cpuUsage(before);
      return { ...result, cost: (user + system) / result.answers };
    },
    end: () => void load.kill(),
  };
}
