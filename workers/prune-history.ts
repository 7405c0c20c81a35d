import type { BotContext } from "../src/bot-context.ts";
import type { Worker } from "../src/queue/worker.ts";
import { pruneKept } from "../src/retention/prune-kept.ts";
import { pruneHistory as prune } from "../src/rules/history/prune-history.ts";

/** Deletes what is older than history is kept, or more than it holds, and what serves nobody any more. */
export const pruneHistory: Worker<BotContext> = {
  name: "prune-history",
  every: 10 * 60_000,
  async run(context) {
    const pruned = await prune(context);
    if (pruned > 0) context.log.info({ pruned }, "old events deleted");
    const kept = await pruneKept(context);
    if (kept > 0) context.log.info({ pruned: kept }, "rows that serve nobody any more deleted");
  },
};
