import { hash } from "node:crypto";

/**
 * A host as 64 bits of its SHA-256: two halves, unsigned. With a million hosts, another host collides with one of them in
 * 1 of 18,000,000,000,000 cases; finding one on purpose takes 2^64 tries.
 */
export type HostKey = readonly [high: number, low: number];

export function keyOf(host: string): HostKey {
  const digest = hash("sha256", host);
  const [high, low] = [parseInt(digest.slice(0, 8), 16), parseInt(digest.slice(8, 16), 16)];
  // Two zeros mean empty.
  return [high, high === 0 && low === 0 ? 1 : low];
}

/** Keys in sequence, high and low. */
export type PackedKeys = Uint32Array<ArrayBuffer>;

/** Keys per part: adding them all takes some milliseconds. */
const partSize = 16_384;

/** Collects keys into parts. */
export class KeyParts {
  readonly #parts: PackedKeys[] = [];
  #current = new Uint32Array(0);
  #used = 0;
  size = 0;

  add([high, low]: HostKey): void {
    if (this.#used === this.#current.length) {
      this.#current = new Uint32Array(2 * partSize);
      this.#parts.push(this.#current);
      this.#used = 0;
    }
    this.#current[this.#used] = high;
    this.#current[this.#used + 1] = low;
    this.#used += 2;
    this.size += 1;
  }

  list(): PackedKeys[] {
    return this.#parts.map((part) => (part === this.#current ? part.slice(0, this.#used) : part));
  }
}

/** Hosts stored only as keys, in 16 to 32 bytes each. */
export class HostSet {
  readonly #cells: Uint32Array;
  readonly #mask: number;
  size = 0;

  /** `expected`: their maximum number. */
  constructor(expected: number) {
    const places = 2 ** Math.ceil(Math.log2(Math.max(8, expected * 1.5)));
    this.#cells = new Uint32Array(2 * places);
    this.#mask = places - 1;
  }

  addAll(keys: PackedKeys): void {
    for (let at = 0; at + 1 < keys.length; at += 2) this.#add(keys[at] ?? 0, keys[at + 1] ?? 0);
  }

  has([high, low]: HostKey): boolean {
    return this.#isAt(this.#placeOf(high, low), high, low);
  }

  #add(high: number, low: number): void {
    const place = this.#placeOf(high, low);
    if (this.#isAt(place, high, low)) return;
    this.#cells[2 * place] = high;
    this.#cells[2 * place + 1] = low;
    this.size += 1;
  }

  #isAt(place: number, high: number, low: number): boolean {
    return this.#cells[2 * place] === high && this.#cells[2 * place + 1] === low;
  }

  /** Where the key is, or would be. */
  #placeOf(high: number, low: number): number {
    let place = low & this.#mask;
    while (!this.#isAt(place, high, low) && !this.#isAt(place, 0, 0)) place = (place + 1) & this.#mask;
    return place;
  }
}
