const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** How long a text is as Discord counts: in code points. */
export function countPoints(text: string): number {
  return text.length - (text.match(pairs)?.length ?? 0);
}

/**
 * At most `maximum` code points, the last an ellipsis where something was cut. What a reader takes for one character (a
 * family, a flag, a letter with its marks) stays whole or goes, unless it alone is longer than that.
 */
export function cutText(text: string, maximum: number): string {
  if (text.length <= maximum || countPoints(text) <= maximum) return text;
  if (maximum < 1) return "";
  const end = indexOfPoint(text, maximum - 1);
  // Where a character begins depends on nothing that follows it but the next point.
  const character = characters.segment(text.slice(0, end + 2)).containing(end);
  return `${text.slice(0, character?.index || end)}…`;
}

/**
 * Whole lines, as many as fit into `maximum` code points, and how many those are: at least one, which is cut where it
 * alone is too long.
 */
export function fitLines(lines: readonly string[], maximum: number): { text: string; fitted: number } {
  let points = -1;
  const over = lines.findIndex((line) => (points += countPoints(line) + 1) > maximum);
  const fitted = over === -1 ? lines.length : Math.max(over, 1);
  return { text: cutText(lines.slice(0, fitted).join("\n"), maximum), fitted };
}

/** As many whole lines as fit, and in the last how many were left out. */
export function fitLinesOrCount(lines: readonly string[], maximum: number): string {
  const all = fitLines(lines, maximum);
  if (all.fitted === lines.length) return all.text;
  const { text, fitted } = fitLines(lines, maximum - 20);
  return `${text}\n… and ${lines.length - fitted} more`;
}

/** Where the code point with this number begins, counted from 0. */
function indexOfPoint(text: string, number: number): number {
  let index = 0;
  let left = number;
  for (const point of text) {
    if (left === 0) break;
    left -= 1;
    index += point.length;
  }
  return index;
}
