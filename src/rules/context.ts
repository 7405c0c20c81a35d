import type { BotContext } from "../bot-context.ts";
import type { ProposeRuleAction } from "./actions/action.ts";
import { TtlCache } from "./facts/ttl-cache.ts";
import type { RuleThreads } from "./threads/rule-threads.ts";

/** A queued evaluation of a server's rules, with the lease under which it was taken. */
export interface TakenEvaluation {
  token: string;
  eventId: number;
  guildId: string;
  channelId: string;
}

/** Needed by workers that evaluate rules. */
export interface RuleContext extends BotContext {
  propose: ProposeRuleAction;
  cache: TtlCache;
  ruleThreads: RuleThreads;
  /** Rows taken when the database failed; released as soon as it responds. */
  brokenOff: TakenEvaluation[];
}

export function createRuleContext(
  context: BotContext,
  { propose, ruleThreads }: Pick<RuleContext, "propose" | "ruleThreads">,
): RuleContext {
  const cache = new TtlCache(context.clock);
  return { ...context, propose, ruleThreads, cache, brokenOff: [] };
}
