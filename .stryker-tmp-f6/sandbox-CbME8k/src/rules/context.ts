// @ts-nocheck
import type { BotContext } from "../bot-context.ts";
import type { AppendEvents } from "../observe/append-events.ts";
import { ShortMemory } from "./facts/short-memory.ts";
import type { ProposeRuleAction } from "./decide/rule-action.ts";
import type { RulesInForce } from "./versions/rules-of-server.ts";

/** What evaluating works with. */
export interface RuleContext extends BotContext {
  appendEvents: AppendEvents;
  propose: ProposeRuleAction;
  memory: ShortMemory;
  /** Rules as parsed, by server; asked again for each batch whether they are still in force. */
  parsedRules: Map<string, RulesInForce>;
}

export function createRuleContext(
  context: BotContext,
  { appendEvents, propose }: Pick<RuleContext, "appendEvents" | "propose">,
): RuleContext {
  return {
    ...context,
    appendEvents,
    propose,
    memory: new ShortMemory(context.clock),
    parsedRules: new Map(),
  };
}
