// @ts-nocheck
import type { ApiContext } from "../src/api/context.ts";
import { pruneHubEvents } from "../src/api/operations/hub.ts";
import { pruneKeyRequests } from "../src/api/operations/signed-keys.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Deletes hub events that are older than the embedded network keeps them, and key requests that are long over. */
export const pruneNetwork: Worker<ApiContext> = {
  name: "prune-network",
  every: 10 * 60_000,
  async run(context) {
    const pruned = await pruneHubEvents(context);
    if (pruned > 0) context.log.info({ pruned }, "old hub events deleted");
    const over = await pruneKeyRequests(context);
    if (over > 0) context.log.info({ over }, "key requests that were over deleted");
  },
};
