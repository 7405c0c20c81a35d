import { AppError } from "../errors.ts";
import type { Page, PageInput } from "./endpoint.ts";

/** Reads a listing to its end, page by page: `for await (const { members } of pages(network.channelMembers.list, {…}))`. */
export async function* pages<Input extends PageInput, Result>(
  call: (input: Input) => Promise<Page<Result>>,
  input: Input,
): AsyncGenerator<Result, void, undefined> {
  let cursor = input.cursor;
  const met = new Set<string>();
  for (;;) {
    const page = await call(cursor ? { ...input, cursor } : input);
    yield page.result;
    const next = page.next?.cursor;
    if (cursor) met.add(cursor);
    // A cursor that comes again would read the same pages for ever.
    if (!next || met.has(next)) return;
    cursor = next;
  }
}

/** Of the largest pages that is a million entries. */
const maxPages = 1000;
/** Pages in a row that bring nothing new: a listing that shifts while it is read has one or two. */
const maxStale = 3;
/** Milliseconds for one reading. */
const timeoutMs = 5 * 60_000;
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
      met.size >= maxPages - 1 ||
      stale >= maxStale ||
      cursor.length > longestCursor ||
      performance.now() - begun > timeoutMs;
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
