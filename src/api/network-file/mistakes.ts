import { AppError, type Mistake } from "../../errors.ts";
import { count as formatCount } from "../../text/amount.ts";
import { likenessOf } from "../../text/likeness.ts";
import { cutText } from "../../text/message-text.ts";

/** Maximum mistakes listed: a file may have millions, and its author fixes the first ones first. */
export const maxListed = 1000;
/** Maximum kinds of mistakes counted separately; the first of each kind is always listed. */
const maxKinds = 100;
/** Maximum characters of a path or message, because the names in them may be as long as the file. */
const longest = 300;

/** Collects a network file's mistakes, in bounded memory. */
export interface Mistakes {
  add(mistake: Mistake): void;
  /** Adds mistakes of which only the number is known. */
  addUnlisted(count: number): void;
  /** Throws `invalid_file` if there are any mistakes. */
  refuse(): void;
}

export function collectMistakes(): Mistakes {
  const listed: Mistake[] = [];
  const kinds = new Map<string, Mistake>();
  let count = 0;
  return {
    add: (given) => {
      count += 1;
      const mistake = { path: cutText(given.path, longest), message: cutText(given.message, longest) };
      const { key } = likenessOf(mistake);
      const first = kinds.get(key);
      if (first) first.count = (first.count ?? 1) + 1;
      const isNewKind = !first && kinds.size < maxKinds;
      if (isNewKind) kinds.set(key, mistake);
      if (listed.length < maxListed || isNewKind) listed.push(mistake);
    },
    addUnlisted: (more) => {
      count += more;
    },
    refuse: () => {
      if (count > 0) throw refusal(listed, count);
    },
  };
}

/** `invalid_file` with the listed mistakes out of `count`. */
export function refusal(listed: readonly Mistake[], count = listed.length): AppError {
  const all = count === 1 ? "a mistake" : `${formatCount(count)} mistakes`;
  const more = count - listed.length;
  const rest = { path: "", message: `and ${formatCount(more)} more`, count: more };
  return new AppError("invalid_file", `The network file has ${all}; nothing was imported.`, {
    mistakes: more > 0 ? [...listed, rest] : [...listed],
  });
}

/** A JSON pointer (RFC 6901). */
export function pointer(...path: PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
