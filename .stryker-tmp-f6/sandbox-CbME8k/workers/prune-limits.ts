// @ts-nocheck
import type { Worker } from "../src/queue/worker.ts";
import type { RuleContext } from "../src/rules/context.ts";
import { pruneCooldowns } from "../src/rules/limits/cooldown.ts";

/** Deletes cooldowns that are long over. */
export const pruneLimits: Worker<RuleContext> = {
  name: "prune-limits",
  every: 3600_000,
  async run(context) {
    await pruneCooldowns(context.database.query, context.clock);
  },
};
