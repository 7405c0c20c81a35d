import type { BotContext } from "../../bot-context.ts";
import type { Network } from "../../contract/index.ts";
import { withOptions } from "../../contract/on-behalf.ts";
import { AppError } from "../../errors.ts";
import { rulesPurpose } from "../../observe/live/call-limits.ts";
import type { FactContext } from "../facts/fact.ts";
import { TtlCache } from "../facts/ttl-cache.ts";
import type { RuleThreads } from "../threads/rule-threads.ts";

/** How often a rehearsal may call the network for facts; any further facts are unknown. */
const maxCalls = 5000;

export interface RehearsalContext extends Pick<
  BotContext,
  "database" | "network" | "live" | "clock" | "log" | "botFid"
> {
  ruleThreads: RuleThreads;
  settings: Pick<BotContext["settings"], "history">;
}

/** Facts at one moment, however long the rehearsal takes: the clock is frozen, so nothing cached expires. */
export function frozenFacts({
  database,
  network,
  live,
  clock,
  log,
}: Omit<RehearsalContext, "settings" | "ruleThreads">): FactContext {
  const now = clock.now();
  const frozen = { now: () => now, monotonic: () => now };
  // A week of events may need more than the live network allows in an hour: people's commands come first.
  const asked = readOnly(live?.background(rulesPurpose) ?? network, { calls: maxCalls });
  return { database, log, network: asked, clock: frozen, cache: new TtlCache(frozen) };
}

/** How often the network may be called. */
interface Budget {
  calls: number;
}

/** The same network, but read-only and with a budget, reduced by each call. */
export function readOnly(network: Network, budget: Budget): Network {
  return withOptions(network, (endpoint, options) => {
    if (endpoint.method !== "GET") throw new Error(`a rehearsal called ${endpoint.method} ${endpoint.path}`);
    if (budget.calls <= 0) {
      throw new AppError("rate_limited", "The rehearsal has used up its network calls.");
    }
    budget.calls -= 1;
    return options;
  });
}
