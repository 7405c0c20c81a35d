/** Longer strings are not hosts, and are not collected. */
const longest = 1000;
/** No list has its hosts deeper; bounds the memory for open containers. */
const deepest = 100;

/**
 * Reads strings from JSON that arrives in pieces of any length, without storing it: each list element with the list's key
 * in its object, undefined for a list outside an object. Reports invalid JSON at the end.
 */
export class JsonStrings {
  readonly #found: (text: string, key: string | undefined) => void;
  /** The open lists and objects, each with its own key; for an object, also its latest key. */
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

  /** Whether the JSON was complete. */
  isWhole(): boolean {
    return this.#isOver && !this.#isWrong && this.#open.length === 0 && this.#string === undefined;
  }

  /** Outside strings; returns the last position read. */
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

  /** Inside a string. */
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
