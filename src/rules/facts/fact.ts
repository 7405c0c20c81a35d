import type { BotContext } from "../../bot-context.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { TtlCache } from "./ttl-cache.ts";

/**
 * What is known, or why it is not; `at` is when it was read, in UNIX milliseconds. `missing`: the network was not to be asked for
 * it, or not for all of it, by its limits of calls ("limits"), or did not answer ("silence"): it may be known later.
 */
export type Fact<T> = { source: string; at: number; missing?: Missing | undefined } & (
  { known: true; value: T } | { known: false; why: string }
);

export type Missing = "limits" | "silence";

export type Parameters = readonly (string | number)[];

/** Where facts of one kind come from. */
export interface FactSource<T = unknown, P extends Parameters = Parameters> {
  /** For people, and no other source's: "channel members". */
  name: string;
  /** Asks the network: only when what is at hand does not settle it. */
  far?: boolean;
  /** Answers, in order, what a batch of events needs, in as few reads as can be. Never throws what may pass. */
  load(
    context: FactContext,
    wanted: readonly { parameters: P; occurrence: Occurrence }[],
  ): Promise<Fact<T>[]>;
}

export interface FactContext extends Pick<BotContext, "database" | "network" | "clock" | "log" | "live"> {
  cache: TtlCache;
}

/** A fact that a condition needs about an event. */
export interface Need<T = unknown> {
  /** Equal keys mean the same need. */
  key: string;
  source: FactSource;
  parameters: Parameters;
  /** Only in the type: what the fact is. */
  readonly answer?: T;
}

export function needOf<T, P extends Parameters>(source: FactSource<T, P>, ...parameters: P): Need<T> {
  return { key: [source.name, ...parameters].join(":"), source, parameters };
}

/** The facts about one event, frozen before it is evaluated. */
export class Facts {
  readonly #known: ReadonlyMap<string, Fact<unknown>>;

  constructor(known: ReadonlyMap<string, Fact<unknown>> = new Map()) {
    this.#known = known;
  }

  read<T>(need: Need<T>): Fact<T> {
    const fact = this.#known.get(need.key);
    if (!fact) return { known: false, why: "it was not asked for", source: need.source.name, at: 0 };
    // Stored under the key of a Need<T>, whose source gives facts of that type.
    return fact as Fact<T>;
  }
}
