import type { Worker } from "../src/queue/worker.ts";
import type { RuleContext } from "../src/rules/context.ts";
import { fireTimers as fire } from "../src/rules/pending/fire-timers.ts";

/** Fires the timers of rules. */
export const fireTimers: Worker<RuleContext> = {
  name: "fire-timers",
  every: 10_000,
  async run(context) {
    await fire(context);
  },
};
