import { AppError, type Mistake } from "../../errors.ts";
import { cutText } from "../../text/message-text.ts";

/** Mistakes that are listed one by one: a file may have millions, and its author fixes the first ones first. */
export const mostListed = 1000;
/** Characters of a path or message: the names in them may be as long as the file. */
const longest = 300;

/** What is wrong with a network file. Takes the memory of a thousand mistakes, however many there are. */
export interface Mistakes {
  add(mistake: Mistake): void;
  /** Further ones of which only the number is known. */
  addUnlisted(count: number): void;
  /** Throws `invalid_file` where there is any. */
  refuse(): void;
}

export function collectMistakes(): Mistakes {
  const listed: Mistake[] = [];
  let count = 0;
  return {
    add: ({ path, message }) => {
      count += 1;
      if (listed.length < mostListed)
        listed.push({ path: cutText(path, longest), message: cutText(message, longest) });
    },
    addUnlisted: (more) => {
      count += more;
    },
    refuse: () => {
      if (count > 0) throw refusal(listed, count);
    },
  };
}

/** `invalid_file` with the mistakes that are listed, of `count`. */
export function refusal(listed: readonly Mistake[], count = listed.length): AppError {
  const all = count === 1 ? "a mistake" : `${written(count)} mistakes`;
  const more = count - listed.length;
  return new AppError("invalid_file", `The network file has ${all}; nothing was imported.`, {
    mistakes: more > 0 ? [...listed, { path: "", message: `and ${written(more)} more` }] : [...listed],
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
