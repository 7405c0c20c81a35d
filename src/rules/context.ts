import type { BotContext } from "../bot-context.ts";
import type { AppendEvents } from "../observe/append-events.ts";
import { ShortMemory } from "./facts/short-memory.ts";
import type { ProposeRuleAction } from "./decide/rule-action.ts";
import type { RuleThreads } from "./threads/rule-threads.ts";

/** What evaluating works with. */
export interface RuleContext extends BotContext {
  appendEvents: AppendEvents;
  propose: ProposeRuleAction;
  memory: ShortMemory;
  ruleThreads: RuleThreads;
  /** Servers whose events are being evaluated now, with the end of it. */
  evaluating: Map<string, Promise<void>>;
}

export function createRuleContext(
  context: BotContext,
  { appendEvents, propose, ruleThreads }: Pick<RuleContext, "appendEvents" | "propose" | "ruleThreads">,
): RuleContext {
  const memory = new ShortMemory(context.clock);
  return { ...context, appendEvents, propose, ruleThreads, memory, evaluating: new Map() };
}
