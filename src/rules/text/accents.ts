/** Letters with accents, and the like, of languages that are written with Latin letters. */
const alphabets = [
  "áéíóúüñ",
  "áâãàçéêíóôõúü",
  "àâæçéèêëîïôœùûüÿ",
  "äöüßéà",
  "àèéìíîòóùú",
  "àçèéíïòóúüñ",
  "ąćęłńóśźż",
  "áäčďéěíĺľňóôŕřšťúůýž",
  "áéíóöőúüű",
  "ăâîșțşţ",
  "âçğıîöşüûə",
  "åäöæøéáíóúýðþ",
  "äöõüšž",
  "āčēģīķļņšūž",
  "ąčęėįšųūž",
  "čćđšž",
  "âêîôûŵŷáéíóúäëïöüç",
  "ċġħżàèìòù",
  "ĉĝĥĵŝŭ",
  "áéëïíóöúè",
  "ẹọṣáàéèíìóòúùńǹḿ",
  "āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜü",
].map((letters) => new Set(letters));

const marked = /(?![a-z])\p{Script=Latin}/gu;
/** Vietnamese has a hundred of them: a vowel and one or two of its marks. */
const vietnamese = /^(?:đ|[aeiouy][\u0300-\u0303\u0306\u0309\u031B\u0323]{1,2})$/u;
/** Marks that no language puts there: through a letter, or upon one that takes none. */
const strange = /[a-z][\u0334-\u0338\u20D0-\u20F0]|[bcdfhjklpqrstvwxz]\p{M}/u;
const stacked = /\p{Script=Latin}\p{M}{3}/u;
const english = /\b(?:the|your|you|this|with|from|here|and|now|is)\b/g;
const maxMarked = 0.75;

/**
 * Whether the accents of a text, in lower case and composed, say nothing: no language has them together, or so many, or the
 * text is English. Where they may say something they are kept: año is not ano.
 */
export function hasIdleAccents(text: string): boolean {
  if (strange.test(text) || stacked.test(text)) return true;
  const found = text.match(marked);
  if (!found) return false;
  const plain = text.match(/[a-z]/g)?.length ?? 0;
  if (found.length > maxMarked * (found.length + plain)) return true;
  if (new Set(text.match(english)).size > 1) return true;
  const letters = [...new Set(found)];
  const isOne = alphabets.some((alphabet) => letters.every((letter) => alphabet.has(letter)));
  return !isOne && !letters.every((letter) => vietnamese.test(letter.normalize("NFD")));
}

const struck = new Map(Object.entries({ ø: "o", ł: "l", đ: "d", ħ: "h", ŧ: "t", ı: "i" }));
const onLatin = /(\p{Script=Latin})\p{M}+/gu;

/** A text without accents on Latin letters; other scripts keep their marks. */
export function withoutAccents(text: string): string {
  const bare = text.normalize("NFD").replace(onLatin, "$1").normalize("NFC");
  return bare.replace(/[øłđħŧı]/g, (letter) => struck.get(letter) ?? letter);
}
