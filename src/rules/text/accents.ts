/** Letters with accents or similar marks, for languages in Latin script. */
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
/** Vietnamese has about a hundred: a vowel with one or two marks. */
const vietnamese = /^(?:đ|[aeiouy][\u0300-\u0303\u0306\u0309\u031B\u0323]{1,2})$/u;
/** Marks that no language uses: through a letter, or on a letter that takes none. */
const strange = /[a-z][\u0334-\u0338\u20D0-\u20F0]|[bcdfhjklpqrstvwxz]\p{M}/u;
const stacked = /\p{Script=Latin}\p{M}{3}/u;
const english = /\b(?:the|your|you|this|with|from|here|and|now|is)\b/g;
const maxMarked = 0.75;

/**
 * Whether the accents of a text, in lower case and composed, mean nothing: no language combines them, or uses so many, or
 * the text is English. Accents that may have a meaning stay: año is not ano.
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
