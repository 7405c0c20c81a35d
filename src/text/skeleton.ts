import { confusables } from "./confusables.ts";
import { invisible } from "./letters.ts";

/** Looked for at its beginning alone: from every place on, a long text would take a long time. */
const word = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]*[^\P{L}\p{ASCII}][\p{L}\p{N}\p{M}]*/gu;
const latinLetter = /[a-z]/;
const cherokee = /^\p{Script=Cherokee}$/u;

/** What people write in place of a letter among Latin ones, and Unicode's table does not have. */
const written = new Map(
  Object.entries({ ω: "w", ш: "w", ε: "e", є: "e", э: "e", ʍ: "m", п: "n", η: "n", ц: "u", ө: "o", ҫ: "ç" }),
);
/** Capitals that look like other letters than their small ones: Ν is an N, ν a v. */
const capitals = new Map(Object.entries({ Ν: "N", Υ: "Y", Η: "H", Ӏ: "l" }));

interface LookAlikes {
  /** What a character looks like, where it looks like another. */
  prototypes: ReadonlyMap<string, string>;
  /** The same, of characters that look like Latin letters or digits: these, in lower case. */
  latin: ReadonlyMap<string, string>;
}

let table: LookAlikes | undefined;

/** Unpacked when it is first asked. */
const lookAlikes = () => (table ??= unpack());

/** What each character looks like that looks like another. */
export const prototypes = () => lookAlikes().prototypes;

/** What a character looks like; itself where it looks like no other. */
export function prototypeOf(character: string): string {
  return lookAlikes().prototypes.get(character) ?? character;
}

function unpack(): LookAlikes {
  const prototypes = new Map<string, string>();
  const latin = new Map<string, string>();
  for (const row of confusables.split(";").filter(Boolean)) {
    const [target = "", sources = ""] = row.split("=");
    const prototype = target.split("-").map(decode).join("");
    let point = 0;
    for (const distance of sources.split(" ")) {
      point += parseInt(distance, 36);
      const character = String.fromCodePoint(point);
      prototypes.set(character, prototype);
      if (/^[a-z0-9]+$/i.test(prototype)) latin.set(character, prototype.toLowerCase());
    }
  }
  return { prototypes, latin };
}

function decode(point: string): string {
  return String.fromCodePoint(parseInt(point, 36));
}

/** Texts that look alike have the same skeleton (UTS #39, section 4). It is for comparing, not for showing. */
export function skeletonOf(text: string): string {
  const visible = text.normalize("NFD").replace(invisible, "");
  return Array.from(visible, prototypeOf).join("").normalize("NFD");
}

/** Signs of names that are read as letters, and what parts a name. */
const asLetters = new Map(
  Object.entries({
    0: "o",
    1: "i",
    2: "z",
    3: "e",
    4: "a",
    5: "s",
    7: "t",
    8: "b",
    9: "g",
    l: "i",
    "|": "i",
  }),
);
const parts = /[-_.\s]+/g;
/** Shorter names are near to too many others: bum is not burn, nor is ben been. */
const minLoose = 5;

/** Keys of a name: who shares one of them looks like it, as written or whatever the case. */
export function lookAlikeKeys(name: string): Set<string> {
  const bare = name.replace(/(?:\.base)?\.eth$/i, "");
  const keys = [bare, bare.normalize("NFKC")].map((form) => foldName(form.replace(invisible, "")));
  return new Set(keys.flatMap((key) => (key.length < minLoose ? [key] : [key, loosen(key)])));
}

/** A name without what parts it, its letters of other scripts as what they look like, and its digits as letters. */
function foldName(name: string): string {
  const written = shapesOf(shapesOf(name).toLowerCase()).toLowerCase();
  const whole = written.replace(parts, "") || written;
  // Numbers are no words.
  if (!/\D/.test(whole)) return whole;
  return Array.from(whole.replaceAll("vv", "w"), (letter) => asLetters.get(letter) ?? letter).join("");
}

/** What may be taken for less: rn for m, cl for d, a letter twice for once. */
function loosen(key: string): string {
  const wide = key.length > minLoose ? key.replaceAll("ci", "d") : key;
  return wide.replaceAll("rn", "m").replace(/(.)\1+/gsu, "$1");
}

/** Letters beyond ASCII as what they look like. */
function shapesOf(text: string): string {
  const visible = Array.from(text.normalize("NFD"), (one) => (one <= "\x7F" ? one : prototypeOf(one)));
  return visible.join("").normalize("NFD");
}

/**
 * A text in lower case with letters of other scripts read as the Latin ones that they look like, word by word: a word that
 * mixes scripts, or that looks Latin as a whole. Words that are plainly of another script stay.
 */
export function readAsLatin(folded: string): string {
  return folded.replace(word, (found) => (latinLetter.test(found) ? readMixed(found) : readWhole(found)));
}

function readMixed(mixed: string): string {
  const read = Array.from(
    mixed,
    (character) =>
      latinOf(character) ?? written.get(character) ?? capitalOf(character) ?? markedOf(character),
  );
  return read.join("");
}

/** A text with capitals of other scripts among Latin letters read as the Latin ones: they look different once they are small. */
export function readCapitals(text: string): string {
  if (!/[ΝΥΗӀ]/.test(text)) return text;
  return text.replace(word, (found) =>
    /[a-z]/i.test(found) ? found.replace(/[ΝΥΗӀ]/g, (one) => capitals.get(one) ?? one) : found,
  );
}

/** With its accent: the Cyrillic ӧ as ö. Itself where it has none, or looks like no Latin letter. */
function markedOf(character: string): string {
  const [base = "", ...marks] = Array.from(character.normalize("NFD"));
  const letter = marks.length > 0 ? (latinOf(base) ?? capitalOf(base)) : undefined;
  return letter === undefined ? character : [letter, ...marks].join("").normalize("NFC");
}

function readWhole(foreign: string): string {
  const read = Array.from(foreign, (character) => latinOf(character) ?? cherokeeOf(character));
  return read.includes(undefined) ? foreign : read.join("");
}

function latinOf(character: string): string | undefined {
  return character <= "\x7f" ? character : lookAlikes().latin.get(character);
}

/** Its capitals look like Latin ones, and are in lower case here like all letters. */
function cherokeeOf(character: string): string | undefined {
  return cherokee.test(character) ? capitalOf(character) : undefined;
}

/** к is no k, but between Latin letters it is read as one, for К is a K. */
function capitalOf(character: string): string | undefined {
  const capital = character.toUpperCase();
  return capital.length === character.length ? latinOf(capital) : undefined;
}

/** Of a text in lower case, what its letters look like: for comparing whole texts, whatever scripts they mix. ASCII stays. */
export function readAsShapes(folded: string): string {
  return folded.replace(/\P{ASCII}/gu, (character) => {
    return latinOf(character) ?? capitalOf(character) ?? prototypeOf(character);
  });
}
