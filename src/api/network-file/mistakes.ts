import { AppError, type Mistake } from "../../errors.ts";
import { cutText } from "../../text/cut-text.ts";

/** Mistakes that are told one by one; a file may have millions, and whoever made it mends the first anyway. */
export const mostTold = 1000;
/** Characters of a path or message: the names in them may be as long as the file. */
const longest = 300;

/** What is wrong with a network file, in the memory of a thousand mistakes however many there are. */
export interface Mistakes {
  add(mistake: Mistake): void;
  /** Further ones of which only the number is known. */
  addUntold(count: number): void;
  /** Throws `invalid_file` where there is any. */
  refuse(): void;
}

export function collectMistakes(): Mistakes {
  const told: Mistake[] = [];
  let count = 0;
  return {
    add: ({ path, message }) => {
      count += 1;
      if (told.length < mostTold)
        told.push({ path: cutText(path, longest), message: cutText(message, longest) });
    },
    addUntold: (more) => {
      count += more;
    },
    refuse: () => {
      if (count > 0) throw refusal(told, count);
    },
  };
}

/** `invalid_file` with the mistakes that are told, of `count`. */
export function refusal(told: readonly Mistake[], count = told.length): AppError {
  const all = count === 1 ? "a mistake" : `${written(count)} mistakes`;
  const more = count - told.length;
  return new AppError("invalid_file", `The network file has ${all}; nothing was imported.`, {
    mistakes: more > 0 ? [...told, { path: "", message: `and ${written(more)} more` }] : [...told],
  });
}

/** 4,999,000. */
function written(count: number): string {
  return count.toLocaleString("en-US");
}

/** A JSON pointer (RFC 6901). */
export function pointer(...path: PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
