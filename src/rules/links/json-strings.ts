/** Longer ones are no hosts, and are not gathered. */
const longest = 1000;
/** No list has its hosts deeper; keeps what is remembered of what is open bounded. */
const deepest = 100;

/**
 * Reads strings out of JSON that comes in pieces, of any length, without keeping it: each element of a list with the key
 * that the list has in its object, undefined for a list that is in none. Of what is no JSON it says so at the end.
 */
export class JsonStrings {
  readonly #found: (text: string, key: string | undefined) => void;
  /** What is open: lists and objects, each with the key under which it stands; of an object, also the latest key in it. */
  readonly #open: { isList: boolean; key: string | undefined; latest?: string; wantsKey?: boolean }[] = [];
  #string: string | undefined;
  #isEscape = false;
  #isWrong = false;
  #isOver = false;

  constructor(found: (text: string, key: string | undefined) => void) {
    this.#found = found;
  }

  add(piece: string): void {
    for (let at = 0; at < piece.length && !this.#isWrong; at++) {
      at = this.#string === undefined ? this.#skip(piece, at) : this.#goOn(piece, at);
    }
  }

  /** Whether all of it was there. */
  isWhole(): boolean {
    return this.#isOver && !this.#isWrong && this.#open.length === 0 && this.#string === undefined;
  }

  /** Outside of strings; gives the place that was read last. */
  #skip(piece: string, at: number): number {
    const character = piece[at];
    const top = this.#open.at(-1);
    if (character === '"') this.#string = "";
    else if (character === "[" || character === "{") {
      if (this.#isOver || this.#open.length === deepest) this.#isWrong = true;
      const isList = character === "[";
      this.#open.push({ isList, key: top?.isList ? top.key : top?.latest, wantsKey: !isList });
    } else if (character === "]" || character === "}") {
      if (top?.isList !== (character === "]")) this.#isWrong = true;
      this.#open.pop();
      this.#isOver = this.#open.length === 0;
    } else if (character === "," && top && !top.isList) top.wantsKey = true;
    return at;
  }

  /** Inside of a string. */
  #goOn(piece: string, at: number): number {
    if (this.#isEscape) {
      this.#isEscape = false;
      this.#gather("\\", piece[at] ?? "");
      return at;
    }
    plain.lastIndex = at;
    const text = plain.exec(piece)?.[0] ?? "";
    const next = at + text.length;
    this.#gather(text);
    if (piece[next] === "\\") this.#isEscape = true;
    else if (piece[next] === '"') this.#end();
    return next;
  }

  #gather(...texts: string[]): void {
    this.#string = ((this.#string ?? "") + texts.join("")).slice(0, longest);
  }

  #end(): void {
    const text = this.#string ?? "";
    this.#string = undefined;
    const top = this.#open.at(-1);
    if (top?.isList) this.#found(text, top.key);
    else if (top?.wantsKey) {
      top.latest = text;
      top.wantsKey = false;
    }
  }
}

const plain = /[^"\\]*/y;
