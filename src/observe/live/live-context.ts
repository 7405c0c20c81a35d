import type { BotContext } from "../../bot-context.ts";
import type { LiveReading } from "./call-budget.ts";
import type { Purpose } from "./call-limits.ts";

/** The bot with a remote network, where each call counts. */
export type LiveContext = BotContext & { live: LiveReading };

/** The same bot with the network as background tasks use it. A network in this process is unchanged: its calls are free. */
export function inBackground<Context extends Pick<BotContext, "network" | "live">>(
  context: Context,
  purpose: Purpose,
): Context {
  return context.live ? { ...context, network: context.live.background(purpose) } : context;
}
