import type { Clock } from "../../clock.ts";
import type { Fact } from "../evaluate/fact.ts";

const usualLifetime = 10_000;
const capacity = 5000;

/** Keeps what the network says for ten seconds, so that a flood by one author costs one call. */
export class ShortMemory {
  readonly #facts = new Map<string, { until: number; fact: Promise<Fact<unknown>> }>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * A fact that is fresh, or being read now, or what `read` gives; what is not known is asked again. A key always stands
   * for facts of one type. `lifetime` in milliseconds.
   */
  async recall<T>(key: string, read: () => Promise<Fact<T>>, lifetime = usualLifetime): Promise<Fact<T>> {
    const now = this.#clock.monotonic();
    const kept = this.#facts.get(key);
    // Stored by a read of the same key.
    if (kept && now < kept.until) return kept.fact as Promise<Fact<T>>;
    const fact = read();
    const entry = { until: now + lifetime, fact };
    this.#facts.delete(key);
    this.#facts.set(key, entry);
    this.#forgetOldest();
    const known = await fact.then(
      (fact) => fact.known,
      () => false,
    );
    if (!known && this.#facts.get(key) === entry) this.#facts.delete(key);
    return fact;
  }

  #forgetOldest(): void {
    for (const oldest of this.#facts.keys()) {
      if (this.#facts.size <= capacity) return;
      this.#facts.delete(oldest);
    }
  }
}
