import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "../src/queue/worker.ts";
import type { RuleContext } from "../src/rules/context.ts";
import { evaluatePending } from "../src/rules/pending/evaluate-pending.ts";

/** Milliseconds until others' events are looked for, while one server's rules take long. */
const lookAgain = 250;

/** Evaluates what waits, batch by batch; woken when events were stored, and every second for what a crash left. */
export const evaluateRules: Worker<RuleContext> = {
  name: "evaluate-rules",
  every: 1000,
  async run(context, { signal }) {
    while (!signal.aborted) {
      const taken = await evaluatePending(context);
      if (taken > 0) continue;
      if (context.evaluating.size === 0) break;
      await Promise.race([...context.evaluating.values(), sleep(lookAgain, undefined, { ref: false })]);
    }
    await Promise.allSettled(context.evaluating.values());
  },
};
