import type { BotContext } from "../bot-context.ts";
import type { ProposeRuleAction } from "./actions/action.ts";
import { TtlCache } from "./facts/ttl-cache.ts";
import type { RuleThreads } from "./threads/rule-threads.ts";

/** What workers that evaluate rules need. */
export interface RuleContext extends BotContext {
  propose: ProposeRuleAction;
  cache: TtlCache;
  ruleThreads: RuleThreads;
  /** Servers whose events are being evaluated now: each settles when that is done. */
  evaluating: Map<string, Promise<void>>;
}

export function createRuleContext(
  context: BotContext,
  { propose, ruleThreads }: Pick<RuleContext, "propose" | "ruleThreads">,
): RuleContext {
  const cache = new TtlCache(context.clock);
  return { ...context, propose, ruleThreads, cache, evaluating: new Map() };
}
