// @ts-nocheck
import type { Worker } from "../src/queue/worker.ts";
import type { RuleContext } from "../src/rules/context.ts";
import { remindOfReviews } from "../src/rules/review/remind-of-reviews.ts";

/** Calls to mind what rules hold and nobody has decided on. */
export const remindReviews: Worker<RuleContext> = {
  name: "remind-reviews",
  every: 60_000,
  async run(context) {
    await remindOfReviews(context);
  },
};
