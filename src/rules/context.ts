import type { BotContext } from "../bot-context.ts";
import type { ProposeRuleAction } from "./actions/action.ts";
import { TtlCache } from "./facts/ttl-cache.ts";
import type { RuleThreads } from "./threads/rule-threads.ts";

/** A row of what waits for a server's rules, by the lease under which it was taken. */
export interface TakenEvaluation {
  token: string;
  eventId: number;
  guildId: string;
  channelId: string;
}

/** What workers that evaluate rules need. */
export interface RuleContext extends BotContext {
  propose: ProposeRuleAction;
  cache: TtlCache;
  ruleThreads: RuleThreads;
  /** What was taken when the database failed: given back as soon as it answers. */
  brokenOff: TakenEvaluation[];
}

export function createRuleContext(
  context: BotContext,
  { propose, ruleThreads }: Pick<RuleContext, "propose" | "ruleThreads">,
): RuleContext {
  const cache = new TtlCache(context.clock);
  return { ...context, propose, ruleThreads, cache, brokenOff: [] };
}
