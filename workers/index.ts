import type { Worker } from "../src/queue/worker.ts";
import type { RuleContext } from "../src/rules/context.ts";
import { endTimed } from "./end-timed.ts";
import { evaluateRules } from "./evaluate-rules.ts";
import { settleCases } from "./settle-cases.ts";
import { verifyLinks } from "./verify-links.ts";

/** What main.ts gives to every worker. */
export type WorkerContext = RuleContext;

/** Every background task. */
export const workers: readonly Worker<WorkerContext>[] = [evaluateRules, settleCases, endTimed, verifyLinks];
