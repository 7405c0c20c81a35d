import { LRUCache } from "lru-cache";

/** What is sent once, or with lists of another length each time, is not worth a server's memory. */
const namedFrom = 3;
/** Every connection of the server keeps what was sent over it, in some tens of kilobytes each. */
const maxNames = 200;
const longestText = 16_384;
const maxWatched = 1_000;

/**
 * Names for statements that come again: a server parses what has a name once for each connection, and after five times
 * plans it no more. Gives undefined for the others.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const seen = new LRUCache<string, number>({ max: maxWatched });
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxNames || text.length > longestText) return known;
    const times = (seen.get(text) ?? 0) + 1;
    if (times < namedFrom) {
      seen.set(text, times);
      return undefined;
    }
    seen.delete(text);
    const name = `castellan_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}
