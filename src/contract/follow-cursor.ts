import { AppError } from "../errors.ts";

/** Of the largest pages that is a million entries. */
const mostPages = 1000;
/** Pages in a row that bring nothing new: a listing that shifts while it is read has one or two. */
const mostStale = 3;
/** Milliseconds for one reading. */
const patience = 5 * 60_000;
/** Characters of a cursor. */
const longestCursor = 10_000;

/**
 * Follows a listing's cursors to its end: gives the one to go on with after a page that brought so much news. Throws
 * `network_failed` where there is no end: cursors that come again, in a circle of any length, pages that bring nothing new,
 * or more of them than any listing has.
 */
export function followCursor(
  listing: string,
): (cursor: string | undefined, news: number) => string | undefined {
  const met = new Set<string>();
  const begun = performance.now();
  let stale = 0;
  return (cursor, news) => {
    if (cursor === undefined) return undefined;
    stale = news > 0 ? 0 : stale + 1;
    const isEndless =
      met.has(cursor) ||
      met.size >= mostPages - 1 ||
      stale >= mostStale ||
      cursor.length > longestCursor ||
      performance.now() - begun > patience;
    if (isEndless) {
      throw new AppError(
        "network_failed",
        `The network's list of ${listing} has no end. Nothing of it was used.`,
      );
    }
    met.add(cursor);
    return cursor;
  };
}
