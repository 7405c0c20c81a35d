/** Characters by which a literal is found. */
// @ts-nocheck

const width = 3;

interface Entry<T> {
  literal: string;
  /** Where the characters stand by which it is found. */
  offset: number;
  value: T;
}

/** Finds which of many literals are in a text, in a time that hardly depends on how many they are. */
export class LiteralSearch<T> {
  readonly #byKey = new Map<number, Entry<T>[]>();
  readonly #short: { literal: string; value: T }[] = [];
  /** Tells most places of a text apart from every key, at the price of one look. */
  readonly #seen = new Uint8Array(1 << 16);

  constructor(literals: readonly { literal: string; value: T }[]) {
    const frequency = new Map<number, number>();
    for (const { literal } of literals) {
      for (const key of keysOf(literal)) frequency.set(key, (frequency.get(key) ?? 0) + 1);
    }
    for (const { literal, value } of literals) {
      if (literal.length < width) {
        this.#short.push({ literal, value });
        continue;
      }
      // By what few others have: literals often begin alike.
      const keys = keysOf(literal);
      const offset = keys.reduce(
        (best, key, index) =>
          (frequency.get(key) ?? 0) < (frequency.get(keys[best] ?? 0) ?? 0) ? index : best,
        0,
      );
      const key = keys[offset] ?? 0;
      this.#seen[mix(key)] = 1;
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), { literal, offset, value }]);
    }
  }

  /** Tells the values of the literals that are in the text, some perhaps more than once. */
  find(text: string, tell: (value: T) => void): void {
    for (const { literal, value } of this.#short) if (text.includes(literal)) tell(value);
    for (let at = 0; at + width <= text.length; at++) {
      const key = keyAt(text, at);
      if (this.#seen[mix(key)] === 0) continue;
      for (const { literal, offset, value } of this.#byKey.get(key) ?? []) {
        if (text.startsWith(literal, at - offset)) tell(value);
      }
    }
  }
}

function keysOf(literal: string): number[] {
  return Array.from({ length: Math.max(0, literal.length - width + 1) }, (_, at) => keyAt(literal, at));
}

/** Three UTF-16 units in one number. */
function keyAt(text: string, at: number): number {
  return text.charCodeAt(at) + text.charCodeAt(at + 1) * 0x1_0000 + text.charCodeAt(at + 2) * 0x1_0000_0000;
}

function mix(key: number): number {
  return (key % 65_521) & 0xffff;
}
