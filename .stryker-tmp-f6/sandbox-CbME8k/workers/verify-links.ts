// @ts-nocheck
import type { ModerationContext } from "../src/moderation/context.ts";
import { verifyLinks as verify } from "../src/moderation/verify-links.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Reads again who owns and moderates the linked channels. */
export const verifyLinks: Worker<ModerationContext> = {
  name: "verify-links",
  every: 5 * 60_000,
  run: verify,
};
