/** A piece of a pattern. */
interface Piece {
  /** The only text that the piece can match, if there is exactly one. */
  exact?: string;
  /** Everything that the piece matches contains one of these. */
  required?: readonly string[];
}

/** Shorter texts would be in nearly every text. */
const shortest = 2;
const maxLiterals = 50;

/**
 * Texts, in lower case, of which everything that an RE2 pattern matches contains at least one; undefined if there are
 * none. Syntax it does not understand counts as matching anything.
 */
export function literalsOf(pattern: string): readonly string[] | undefined {
  // Quoted text, and repeated flags: the repetition applies to the text before them.
  if (/\\Q|\(\?[a-zA-Z-]*\)[*+?{]/.test(pattern)) return undefined;
  const reader = new PatternReader(pattern);
  const { exact, required } = reader.readChoice();
  const literals = required ?? (exact === undefined ? undefined : [exact]);
  return reader.done && isUseful(literals) ? literals : undefined;
}

function isUseful(literals: readonly string[] | undefined): literals is readonly string[] {
  return literals !== undefined && literals.length <= maxLiterals && shortestOf(literals) >= shortest;
}

function shortestOf(literals: readonly string[]): number {
  return Math.min(...literals.map((literal) => literal.length));
}

class PatternReader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get done(): boolean {
    return this.#at >= this.#pattern.length;
  }

  /** a|b|c, up to the end or a closing parenthesis. */
  readChoice(): Piece {
    const branches = [this.#readSequence()];
    while (this.#take("|")) branches.push(this.#readSequence());
    const [only] = branches;
    if (branches.length === 1 && only) return only;
    const required: string[] = [];
    for (const { exact, required: wanted = exact === undefined ? undefined : [exact] } of branches) {
      if (!wanted) return {};
      required.push(...wanted);
    }
    return { required };
  }

  #readSequence(): Piece {
    let whole: string | undefined = "";
    let run = "";
    let best: readonly string[] | undefined;
    const offer = (literals: readonly string[] | undefined) => {
      if (isUseful(literals) && (!best || shortestOf(literals) > shortestOf(best))) best = literals;
    };
    while (!this.done && !this.#sees("|") && !this.#sees(")")) {
      const piece = this.#readRepeated();
      if (piece.exact !== undefined) {
        run += piece.exact;
        if (whole !== undefined) whole += piece.exact;
        continue;
      }
      offer([run]);
      offer(piece.required);
      run = "";
      whole = undefined;
    }
    if (whole !== undefined) return { exact: whole };
    offer([run]);
    return best ? { required: best } : {};
  }

  #readRepeated(): Piece {
    const piece = this.#readPiece();
    let optional = false;
    let repeated = false;
    for (;;) {
      const count = /^\{([0-9]+)(,[0-9]*)?\}/.exec(this.#pattern.slice(this.#at, this.#at + 12));
      if (this.#take("*") || this.#take("?")) optional = true;
      else if (this.#take("+")) repeated = true;
      else if (count) {
        this.#at += count[0].length;
        if (Number(count[1]) === 0) optional = true;
        else repeated = true;
      } else break;
    }
    if (optional) return {};
    if (!repeated) return piece;
    const required = piece.required ?? (piece.exact === undefined ? undefined : [piece.exact]);
    return required ? { required } : {};
  }

  #readPiece(): Piece {
    if (this.#take("(")) return this.#readGroup();
    if (this.#take("[")) return this.#skipClass();
    if (this.#take("\\")) return this.#readEscape();
    const character = this.#pattern[this.#at++] ?? "";
    if (character === "^" || character === "$") return { exact: "" };
    if (character === "." || character > "~" || character < " ") return {};
    return { exact: character.toLowerCase() };
  }

  #readGroup(): Piece {
    const flags = /^\?[a-zA-Z-]*([:)])|^\?P?<[^>]*>/.exec(this.#pattern.slice(this.#at));
    if (flags) this.#at += flags[0].length;
    if (flags?.[1] === ")") return { exact: "" };
    const inside = this.readChoice();
    return this.#take(")") ? inside : {};
  }

  #skipClass(): Piece {
    this.#take("^");
    this.#take("]");
    while (!this.done && !this.#take("]")) {
      const named = /^\[:[a-z^]+:\]/.exec(this.#pattern.slice(this.#at));
      this.#at += named?.[0].length ?? (this.#sees("\\") ? 2 : 1);
    }
    return {};
  }

  #readEscape(): Piece {
    const rest = this.#pattern.slice(this.#at);
    if (/^[bBAz]/.test(rest)) return this.#skip(1, { exact: "" });
    const coded = /^(?:x\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|[pP].|[0-7]{1,3})/.exec(rest);
    if (coded) return this.#skip(coded[0].length, {});
    const escaped = rest[0] ?? "";
    return this.#skip(1, /[!-/:-@[-`{-~]/.test(escaped) ? { exact: escaped } : {});
  }

  #skip(count: number, piece: Piece): Piece {
    this.#at += count;
    return piece;
  }

  #sees(character: string): boolean {
    return this.#pattern[this.#at] === character;
  }

  #take(character: string): boolean {
    const seen = this.#sees(character);
    if (seen) this.#at += 1;
    return seen;
  }
}
