import { LRUCache } from "lru-cache";

/** Statements that run once, or with lists of varying length, are not worth a server's memory. */
const namedFrom = 3;
/** Each connection of the server stores its prepared statements, at some tens of kilobytes each. */
const maxNames = 200;
const maxTextLength = 16_384;
const maxWatched = 1_000;

/**
 * Names for repeated statements: a server parses a named statement once per connection, and stops planning it after
 * five uses. Returns undefined for other statements.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const seen = new LRUCache<string, number>({ max: maxWatched });
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxNames || text.length > maxTextLength) return known;
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
