/**
 * Invisible characters, which only separate parts of a text: zero-width characters, direction marks, fillers, annotations,
 * and control characters except white space.
 */
export const invisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|(?![\s\x85])\p{Cc}/gu;

/** Combining marks that belong to no particular script. */
const general = String.raw`\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20F0\uFE20-\uFE2F`;
/**
 * Optional marks in texts of a script. Those of Hindi, Thai and others count as letters and stay, and so do accents on
 * Latin letters: año is not ano.
 */
const onOtherScripts = new RegExp(`((?!\\p{Script=Latin})\\p{L})[${general}]+`, "gu");
const ofArabic =
  /[\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u08CA-\u08E1\u08E3-\u08FF]/g;
const ofHebrew = /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7]/g;
/** A dot for the sounds of other languages, which is often left out. */
const ofHindi = /\u093C/g;
const ofSyriac = /[\u0730-\u074A]/g;
const accentedGreek = /[\u0386\u0388-\u0390\u03AA-\u03B0\u03CA-\u03CE\u1F00-\u1FFC]/g;

/** Letters that keyboards or habits exchange for each other. */
const sameLetters = new Map<string, string>();
for (const [letter = "", ...others] of [
  "σς",
  "еёѐ",
  "иѝ",
  ..."اأإآٱ وؤ يىیئے كکڪ هہەھةۃۀۂ".split(" "),
  ..."כך מם נן פף צץ".split(" "),
  "ंँ",
  "şș",
  "ţț",
].map((row) => Array.from(row))) {
  for (const other of others) sameLetters.set(other, letter);
}
const interchangeable = new RegExp(`[${[...sameLetters.keys()].join("")}]`, "gu");
/** Two letters that are written for a similar one, or that are its capitals. */
const pairs = new Map(Object.entries({ եվ: "եւ", เเ: "แ", ເເ: "ແ" }));
const pair = new RegExp([...pairs.keys()].join("|"), "gu");
const foreignDigit = /(?![0-9])\p{Nd}/gu;
/** Letters whose capitals are two letters. */
const twoInCapitals = /[ßŉǰև\u1E96-\u1E9A]/g;

/**
 * A text (NFKC) in the form used for comparison: full case folding, without the marks that texts of its script may lack.
 * Both sides of a comparison are folded this way.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (!/\P{ASCII}/u.test(lower)) return lower;
  return (
    lower
      .replace(twoInCapitals, (letter) => letter.toUpperCase().toLowerCase())
      .replace(accentedGreek, (letter) => letter.normalize("NFD").replace(/\p{M}+/gu, ""))
      .replace(ofArabic, "")
      .replace(ofHebrew, "")
      .replace(ofSyriac, "")
      .replace(ofHindi, "")
      .replace(onOtherScripts, "$1")
      .replace(interchangeable, (letter) => sameLetters.get(letter) ?? letter)
      .replace(pair, (letters) => pairs.get(letters) ?? letters)
      .replace(foreignDigit, digitOf)
      // The rest of the Turkish İ.
      .replace(/i\u0307+/g, "i")
      .normalize("NFC")
  );
}

/** A digit of another script as an ASCII digit: they are in contiguous blocks of ten that begin with 0. */
function digitOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  let zero = point;
  while (point - zero < 9 && isDigit.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(point - zero);
}

const isDigit = /^\p{Nd}$/u;
