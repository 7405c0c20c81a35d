import type { BotContext } from "../../bot-context.ts";
import type { FactContext } from "../evaluate/fact.ts";
import { ShortMemory } from "../facts/short-memory.ts";
import type { RuleThreads } from "../threads/rule-threads.ts";
import { readOnly } from "./read-only.ts";

/** What a rehearsal may ask the network for facts; beyond it they are not known. */
const mostCalls = 5000;

export interface RehearsalContext extends Pick<
  BotContext,
  "database" | "network" | "clock" | "log" | "botFid"
> {
  ruleThreads: RuleThreads;
}

/** Facts of one moment, however long it takes: the clock stands still, so that the memory forgets nothing. */
export function frozenFacts({ database, network, clock, log }: RehearsalContext): FactContext {
  const now = clock.now();
  const frozen = { now: () => now, monotonic: () => now };
  const asked = readOnly(network, { calls: mostCalls });
  return { database, log, network: asked, clock: frozen, memory: new ShortMemory(frozen) };
}
