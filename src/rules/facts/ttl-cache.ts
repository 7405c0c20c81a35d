import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock.ts";

const usualLifetime = 10_000;
const capacity = 5000;

interface Entry {
  until: number;
  value: Promise<{ known: boolean }>;
}

/** Caches network responses for ten seconds, so that a flood by one author costs one call. */
export class TtlCache {
  readonly #entries = new LRUCache<string, Entry>({ max: capacity });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * A fresh value, one that is being loaded, or the result of `load`; unknown results are not cached. A key always has
   * values of one type. `lifetime` in milliseconds.
   */
  async get<T extends { known: boolean }>(
    key: string,
    load: () => Promise<T>,
    lifetime = usualLifetime,
  ): Promise<T> {
    const now = this.#clock.monotonic();
    const cached = this.#entries.get(key);
    // Stored by a load for the same key.
    if (cached && now < cached.until) return cached.value as Promise<T>;
    const value = load();
    const entry = { until: now + lifetime, value };
    this.#entries.set(key, entry);
    const known = await value.then(
      (loaded) => loaded.known,
      () => false,
    );
    if (!known && this.#entries.get(key) === entry) this.#entries.delete(key);
    return value;
  }
}
