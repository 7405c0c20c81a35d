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
    // A repeated cursor would read the same pages forever.
    if (!next || met.has(next)) return;
    cursor = next;
  }
}

/** A million entries, with the largest pages. */
const maxPages = 1000;
/** Consecutive pages without new entries: a listing that shifts during reading has one or two. */
const maxStale = 3;
/** Milliseconds to read one listing. */
const timeoutMs = 5 * 60_000;
/** Maximum characters in a cursor. */
const longestCursor = 10_000;

/**
 * Follows a listing's cursors: returns the next cursor after a page with `news` new entries. Throws `network_failed` if
 * the listing is endless: repeated cursors, in a cycle of any length, pages without new entries, or too many pages.
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
        `The network's list of ${listing} does not end. None of it was used.`,
      );
    }
    met.add(cursor);
    return cursor;
  };
}
