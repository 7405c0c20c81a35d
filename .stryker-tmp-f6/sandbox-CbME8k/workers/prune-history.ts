// @ts-nocheck
import type { BotContext } from "../src/bot-context.ts";
import type { Worker } from "../src/queue/worker.ts";
import { pruneHistory as prune } from "../src/rules/history/prune-history.ts";

/** Deletes what is older than history is kept, or more than it holds. */
export const pruneHistory: Worker<BotContext> = {
  name: "prune-history",
  every: 10 * 60_000,
  async run(context) {
    const pruned = await prune(context);
    if (pruned > 0) context.log.info({ pruned }, "old events deleted");
  },
};
