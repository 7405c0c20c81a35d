import { foldLetters, type Fold } from "./fold.ts";
import type { RuleText } from "./rule-text.ts";

interface Literal<T> {
  literal: string;
  value: T;
}

/** Finds which of many literals may be in a text in any form in which texts are compared. */
export class TextSearch<T> {
  readonly #literals: readonly Literal<T>[];
  readonly #search: LiteralSearch<T>;
  /** By how a text is folded; each is made when a text is first read so. */
  readonly #folded = new Map<Fold, LiteralSearch<T>>();

  constructor(literals: readonly Literal<T>[]) {
    this.#literals = literals;
    this.#search = new LiteralSearch(literals);
  }

  /** Adds the values of the literals that may be in it, some perhaps more than once. */
  find({ raw, plain, folded, latin, native, disguised }: RuleText, found: { add(value: T): void }): void {
    this.#search.find(folded, found);
    if (latin !== folded) this.#search.find(latin, found);
    if (native !== folded) this.#search.find(native, found);
    // As (?i) folds it: ſ is an s.
    if (raw !== plain) this.#search.find(raw.toLowerCase().replaceAll("ſ", "s"), found);
    for (const { text, fold } of disguised) this.#searchFolded(fold).find(text, found);
  }

  #searchFolded(fold: Fold): LiteralSearch<T> {
    const known = this.#folded.get(fold);
    if (known) return known;
    const search = new LiteralSearch(
      this.#literals.map(({ literal, value }) => ({ literal: foldLetters(literal, fold), value })),
    );
    this.#folded.set(fold, search);
    return search;
  }
}

/** Characters by which a literal is found. */
const width = 3;
const keys = 1 << 16;

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
  /** Rules out most places of a text with one read. */
  readonly #seen = new Uint8Array(keys);

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
      const own = keysOf(literal);
      const offset = own.reduce(
        (best, key, index) =>
          (frequency.get(key) ?? 0) < (frequency.get(own[best] ?? 0) ?? 0) ? index : best,
        0,
      );
      const key = own[offset] ?? 0;
      this.#seen[key] = 1;
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), { literal, offset, value }]);
    }
  }

  /** Adds the values of the literals that are in the text, some perhaps more than once. */
  find(text: string, found: { add(value: T): void }): void {
    for (const { literal, value } of this.#short) if (text.includes(literal)) found.add(value);
    for (let at = 0; at + width <= text.length; at++) {
      const key = keyAt(text, at);
      if (this.#seen[key] === 0) continue;
      for (const { literal, offset, value } of this.#byKey.get(key) ?? []) {
        if (text.startsWith(literal, at - offset)) found.add(value);
      }
    }
  }
}

function keysOf(literal: string): number[] {
  return Array.from({ length: Math.max(0, literal.length - width + 1) }, (_, at) => keyAt(literal, at));
}

/** Three UTF-16 units made one number below `keys`: few others have the same, and what is found by it is compared whole. */
function keyAt(text: string, at: number): number {
  return (
    (text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 5) ^ (text.charCodeAt(at + 2) << 10)) & (keys - 1)
  );
}
