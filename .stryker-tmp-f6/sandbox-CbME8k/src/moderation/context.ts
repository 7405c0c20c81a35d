// @ts-nocheck
import type { BotContext } from "../bot-context.ts";
import type { AppendEvents } from "../observe/append-events.ts";

/** What acting needs besides the usual: a settled case is an event. */
export interface ModerationContext extends BotContext {
  appendEvents: AppendEvents;
}
