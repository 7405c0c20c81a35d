import type { LiveCalls } from "../../contract/channel-events.ts";
import type { Network } from "../../contract/index.ts";
import type { LiveBudget } from "./call-budget.ts";
import type { ReadingPlan } from "./plan-reading.ts";

/** What the bot has of a network that is not in its process: there each call costs something. */
export interface LiveReading {
  /** The network as a background task asks it: within the budget, and behind whatever people wait for. */
  background(purpose: string): Network & LiveCalls;
  budget: LiveBudget;
  /** What this process found to be the plan, until when it holds (`monotonic()`). */
  latest?: { plan: ReadingPlan; until: number };
}
