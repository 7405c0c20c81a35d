// @ts-nocheck
import type { ModerationContext } from "../src/moderation/context.ts";
import { endTimedBans } from "../src/moderation/end-timed-bans.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Lifts bans whose time is over. */
export const endTimed: Worker<ModerationContext> = {
  name: "end-timed",
  every: 5_000,
  async run(context) {
    await endTimedBans(context);
  },
};
