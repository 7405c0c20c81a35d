const words = /([\p{L}\p{M}\p{N}]+)/u;
const single = /^\P{M}\p{M}*$/u;
const symbols = /[\p{So}\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]+/gu;
/** More than stands between the letters of a word. */
const widest = 4;
const fewest = 3;

/** A text whose words are spelled out, c l a i m or c.l.a.i.m, with these joined; a wider gap ends a word. */
export function joinLetters(text: string): string {
  // Gaps stand at even places, words at odd ones.
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

/** The place of the last of the single letters from a place on with the same between them. */
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

/** A text with spaces where emoji, or the same sign again and again, stand between words. */
export function parseGaps(text: string): string {
  return text
    .replace(strung, (row, sign: string) => row.replaceAll(sign, " "))
    .replace(symbols, " ")
    .replace(/ {2,}/g, " ");
}
