import type { Clock } from "../../clock.ts";
import type { Fact } from "../fact.ts";

const lifetime = 10_000;
const capacity = 5000;

/** Keeps what the network says for ten seconds, so that a flood by one author costs one call. */
export class ShortMemory {
  readonly #facts = new Map<string, { at: number; fact: Promise<Fact<unknown>> }>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A fact that is fresh, or being read now, or what `read` gives; what is not known is asked again. */
  async recall(key: string, read: () => Promise<Fact<unknown>>): Promise<Fact<unknown>> {
    const now = this.#clock.now();
    const kept = this.#facts.get(key);
    if (kept && now - kept.at < lifetime) return kept.fact;
    const entry = { at: now, fact: read() };
    this.#facts.delete(key);
    this.#facts.set(key, entry);
    this.#forgetOldest();
    const known = await entry.fact.then(
      (fact) => fact.known,
      () => false,
    );
    if (!known && this.#facts.get(key) === entry) this.#facts.delete(key);
    return entry.fact;
  }

  #forgetOldest(): void {
    for (const oldest of this.#facts.keys()) {
      if (this.#facts.size <= capacity) return;
      this.#facts.delete(oldest);
    }
  }
}
