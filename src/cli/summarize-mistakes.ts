import type { Mistake } from "../errors.ts";
import { count as formatCount } from "../text/amount.ts";
import { likenessOf } from "../text/likeness.ts";

/** Maximum lines shown of one kind, because the others have the same fix. */
const shown = 3;

/**
 * Returns a line for each mistake. Of mistakes that differ only in their place and numbers it shows the first three
 * and the number of others, because thousands of similar lines would hide the rest.
 */
export function summarizeMistakes(mistakes: readonly Mistake[]): string[] {
  const kinds = new Map<string, { lines: string[]; like: string; listed: number; count: number }>();
  let unlisted = 0;
  for (const mistake of mistakes) {
    const { path, message, count = 0 } = mistake;
    if (path === "" && count > 0) {
      unlisted += count;
      continue;
    }
    const { key, pattern } = likenessOf(mistake);
    const kind = kinds.get(key) ?? { lines: [], like: pattern, listed: 0, count: 0 };
    kinds.set(key, kind);
    kind.listed += 1;
    kind.count = Math.max(kind.count, count, kind.listed);
    if (kind.lines.length < shown) kind.lines.push(`${path} ${message}`.trimStart());
  }
  const lines = [...kinds.values()].flatMap(({ lines, like, listed, count }) => {
    unlisted -= count - listed;
    const more = count - lines.length;
    return more > 0
      ? [
          ...lines,
          `${like} and ${formatCount(more)} more like ${lines.length > 1 ? "these" : "it"}`.trimStart(),
        ]
      : lines;
  });
  return unlisted > 0 ? [...lines, `and ${formatCount(unlisted)} more`] : lines;
}
