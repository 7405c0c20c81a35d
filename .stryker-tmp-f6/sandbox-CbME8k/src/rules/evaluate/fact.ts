// @ts-nocheck
import type { BotContext } from "../../bot-context.ts";
import type { ShortMemory } from "../facts/short-memory.ts";
import type { Occurrence } from "./occurrence.ts";

/** What is known, or why it is not; `at` is when it was read, in UNIX milliseconds. */
export type Fact<T> = { source: string; at: number } & (
  { known: true; value: T } | { known: false; why: string }
);

/** A question that a condition has about an event; equal keys mean the same question. */
export interface Ask<T> {
  key: string;
  source: FactSource;
  /** Only in the type: what the answer is. */
  readonly answer?: T;
}

/** Where facts come from: one file each in facts/. */
export interface FactSource {
  name: string;
  /** Asks the network: only when what is at hand does not settle it. */
  far?: boolean;
  /** Answers, in order, what a batch of events needs, in as few reads as can be. Never throws what may pass. */
  load(
    context: FactContext,
    wanted: readonly { ask: Ask<unknown>; occurrence: Occurrence }[],
  ): Promise<Fact<unknown>[]>;
}

export interface FactContext extends Pick<BotContext, "database" | "network" | "clock" | "log"> {
  memory: ShortMemory;
}

/** The facts about one event, frozen before it is evaluated. */
export class Facts {
  readonly #known: ReadonlyMap<string, Fact<unknown>>;

  constructor(known: ReadonlyMap<string, Fact<unknown>> = new Map()) {
    this.#known = known;
  }

  read<T>(ask: Ask<T>): Fact<T> {
    const fact = this.#known.get(ask.key);
    if (!fact) return { known: false, why: "it was not asked for", source: ask.source.name, at: 0 };
    // Stored under the key of an Ask<T>, and its source answers asks of that type.
    return fact as Fact<T>;
  }
}
