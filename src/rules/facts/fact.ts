import type { BotContext } from "../../bot-context.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { TtlCache } from "./ttl-cache.ts";

/**
 * A fact, or why it is unknown; `at` is when it was read, in UNIX milliseconds. `missing`: the network could not be asked,
 * at least not for all of it, because of call limits ("limits"), or did not respond ("silence"): it may be known later.
 */
export type Fact<T> = { source: string; at: number; missing?: Missing | undefined } & (
  { known: true; value: T } | { known: false; why: string }
);

export type Missing = "limits" | "silence";

export type Parameters = readonly (string | number)[];

/** The source of one kind of facts. */
export interface FactSource<T = unknown, P extends Parameters = Parameters> {
  /** A unique name, for people: "channel members". */
  name: string;
  /** Calls the network: used only if local facts do not determine the result. */
  far?: boolean;
  /** Loads the facts for a batch of events, in order, with as few reads as possible. Never throws temporary errors. */
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
  /** The fact's type; never set. */
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
    if (!fact) return { known: false, why: "it was not requested", source: need.source.name, at: 0 };
    // Stored under the key of a Need<T>, whose source returns facts of that type.
    return fact as Fact<T>;
  }
}
