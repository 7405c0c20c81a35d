/** A map that holds so many entries at most: one more, and the one that was used longest ago is forgotten. */
export class LruMap<Key, Value extends object> extends Map<Key, Value> {
  readonly #capacity: number;
  readonly #onForget: (value: Value) => void;

  /** `onForget` hears of what had to go, not of what was replaced or deleted. */
  constructor(capacity: number, onForget: (value: Value) => void = () => {}) {
    super();
    this.#capacity = capacity;
    this.#onForget = onForget;
  }

  override get(key: Key): Value | undefined {
    const value = super.get(key);
    if (value) this.set(key, value);
    return value;
  }

  override set(key: Key, value: Value): this {
    // A map is in order of insertion, so the entry used longest ago is its first.
    this.delete(key);
    super.set(key, value);
    const [oldest] = this;
    if (oldest && this.size > this.#capacity) {
      this.delete(oldest[0]);
      this.#onForget(oldest[1]);
    }
    return this;
  }
}
