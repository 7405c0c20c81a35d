import type { Clock } from "../../clock.ts";
import type { Fact } from "../fact.ts";

const lifetime = 10_000;
const capacity = 5000;

/** Keeps what the network said for ten seconds, so that a flood by one author costs one call. */
export class ShortMemory {
  readonly #facts = new Map<string, Fact<unknown>>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A fact that is still fresh, or what `read` gives; what is not known is asked again. */
  async recall(key: string, read: () => Promise<Fact<unknown>>): Promise<Fact<unknown>> {
    const kept = this.#facts.get(key);
    if (kept && this.#clock.now() - kept.at < lifetime) return kept;
    const fact = await read();
    this.#facts.delete(key);
    if (fact.known) this.#facts.set(key, fact);
    for (const oldest of this.#facts.keys()) {
      if (this.#facts.size <= capacity) break;
      this.#facts.delete(oldest);
    }
    return fact;
  }
}
