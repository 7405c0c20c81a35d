import type { Worker } from "../src/queue/worker.ts";
import type { RuleContext } from "../src/rules/context.ts";
import { evaluateRules } from "./evaluate-rules.ts";

/** What main.ts gives to every worker. */
export type WorkerContext = RuleContext;

/** Every background task. */
export const workers: readonly Worker<WorkerContext>[] = [evaluateRules];
