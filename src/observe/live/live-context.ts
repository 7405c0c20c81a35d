import type { BotContext } from "../../bot-context.ts";
import type { LiveReading } from "./call-budget.ts";

/** The bot of a network that is elsewhere, where each call counts. */
export type LiveContext = BotContext & { live: LiveReading };

/** The same bot with the network as a background task uses it. A network in this process stays as it is: there a call costs nothing. */
export function inBackground<Context extends Pick<BotContext, "network" | "live">>(
  context: Context,
  purpose: string,
): Context {
  return context.live ? { ...context, network: context.live.background(purpose) } : context;
}
