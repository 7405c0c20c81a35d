import type { Worker } from "../src/queue/worker.ts";
import type { RuleContext } from "../src/rules/context.ts";
import { tellUnreadable } from "../src/rules/versions/tell-unreadable.ts";

/** Tells of rules that this Castellan cannot read any more. */
export const checkRules: Worker<RuleContext> = {
  name: "check-rules",
  every: 60_000,
  run: tellUnreadable,
};
