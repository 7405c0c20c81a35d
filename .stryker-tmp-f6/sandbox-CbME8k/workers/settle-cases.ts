// @ts-nocheck
import type { ModerationContext } from "../src/moderation/context.ts";
import { settleOpenCases } from "../src/moderation/settle-open-cases.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Does what rules asked for, and goes on with what a crash or a silent network left. */
export const settleCases: Worker<ModerationContext> = {
  name: "settle-cases",
  every: 1000,
  async run(context) {
    await settleOpenCases(context);
  },
};
