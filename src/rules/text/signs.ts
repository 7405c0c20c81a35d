/** Letters that are rarely doubled: bazaar, skiing, vacuum. */
const isRarelyDoubled = (code: number) => code === 97 || code === 105 || code === 117;
const spelled = 3;
const [a, z, space, apostrophe] = [97, 122, 32, 39];
/** Marks that end or divide a sentence. */
const ends = new Set(Array.from('\n,.?!:;"', (mark) => mark.charCodeAt(0)));

/** Other signs that are rare in texts without a disguise. */
const signs =
  /[\u0080-\uffff]|([a-z])\1\1|aa|ii|uu|[a-z][0-9@$!|]+[a-z]|[0-9@$][a-z]{3}|(?<![a-z0-9])[a-z][^a-z0-9]{1,4}[a-z][^a-z0-9]{1,4}[a-z](?![a-z0-9])|[a-z]{2}([._*|/~-])[a-z]+\2[a-z]|[[({]\s?(?:\.|dot)|\([a-z]\)|h(?:xx|\*\*|__)p|\[:\]/;

/**
 * Whether anything in a text, in lower case, suggests a disguise. Called for nearly all texts, and most are words with
 * spaces and punctuation between them: one check of each letter is enough for those.
 */
export function looksDisguised(text: string): boolean {
  let singles = 0;
  let length = 0;
  let last = 0;
  let beforeLast = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : space;
    if (code >= a && code <= z) {
      if (code === last && (code === beforeLast || isRarelyDoubled(code))) return true;
      length += 1;
    } else if (code === space || (ends.has(code) && !isLetter(text.charCodeAt(at + 1)))) {
      if (length > 0) singles = length === 1 ? singles + 1 : 0;
      if (singles === spelled) return true;
      length = 0;
    } else if (code !== apostrophe) {
      return signs.test(text);
    }
    beforeLast = last;
    last = code;
  }
  return false;
}

const isLetter = (code: number) => code >= a && code <= z;
