const words = /([\p{L}\p{M}\p{N}]+)/u;
const single = /^\P{M}\p{M}*$/u;
const symbols = /[\p{So}\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]+/gu;
/** A wider gap than between the letters of a word. */
const widest = 4;
const fewest = 3;

/** Joins spelled-out words in a text, c l a i m or c.l.a.i.m; a wider gap ends a word. */
export function joinLetters(text: string): string {
  // Gaps are at even positions, words at odd ones.
  const pieces = text.split(words);
  let joined = pieces[0] ?? "";
  for (let at = 1; at < pieces.length;) {
    const end = endOfSpelled(pieces, at);
    const isSpelled = (end - at) / 2 + 1 >= fewest;
    const last = isSpelled ? end : at;
    for (let word = at; word <= last; word += 2) joined += pieces[word] ?? "";
    joined += pieces[last + 1] ?? "";
    at = last + 2;
  }
  return joined;
}

/** The position of the last single letter in a run with the same separator. */
function endOfSpelled(pieces: readonly string[], start: number): number {
  const between = gapAt(pieces, start + 1);
  let end = start;
  if (!isSingle(pieces[start]) || between === undefined) return end;
  while (isSingle(pieces[end + 2]) && gapAt(pieces, end + 1) === between) end += 2;
  return end;
}

const isSingle = (word: string | undefined) => word !== undefined && single.test(word);

function gapAt(pieces: readonly string[], place: number): string | undefined {
  const gap = pieces[place]?.replace(symbols, "☺");
  return gap === undefined || gap.length > widest || gap.includes("\n") ? undefined : gap;
}

const strung = /(?<![\p{L}\p{N}])[\p{L}\p{N}]{2,}(?:([._*|/~•·-])[\p{L}\p{N}]+)(?:\1[\p{L}\p{N}]+)+/gu;

/** A text with spaces for emoji or a repeated sign between words. */
export function parseGaps(text: string): string {
  return text
    .replace(strung, (row, sign: string) => row.replaceAll(sign, " "))
    .replace(symbols, " ")
    .replace(/ {2,}/g, " ");
}
