// @ts-nocheck
import type { Worker } from "../src/queue/worker.ts";
import type { RuleContext } from "../src/rules/context.ts";
import { evaluatePending } from "../src/rules/pending/evaluate-pending.ts";

/** Evaluates what waits, batch by batch; poked when events were stored, and every second for what a crash left. */
export const evaluateRules: Worker<RuleContext> = {
  name: "evaluate-rules",
  every: 1000,
  async run(context, { signal }) {
    let taken = 1;
    while (taken > 0 && !signal.aborted) taken = await evaluatePending(context);
  },
};
