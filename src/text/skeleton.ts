import { confusables } from "./confusables.ts";
import { invisible } from "./letters.ts";

/** A word with letters beyond ASCII; anchored at its beginning, for speed in long texts. */
export const foreignWord = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]*[^\P{L}\p{ASCII}][\p{L}\p{N}\p{M}]*/gu;
const latinLetter = /[a-z]/;
const cherokee = /^\p{Script=Cherokee}$/u;

/** Common substitutes for Latin letters that Unicode's table lacks. */
const written = new Map(
  Object.entries({ ω: "w", ш: "w", ε: "e", є: "e", э: "e", ʍ: "m", п: "n", η: "n", ц: "u", ө: "o", ҫ: "ç" }),
);
/** Capitals that resemble other letters than their small forms do: Ν is an N, ν a v. */
const capitals = new Map(Object.entries({ Ν: "N", Υ: "Y", Η: "H", Ӏ: "l" }));

interface LookAlikes {
  /** The characters that each character resembles. */
  prototypes: ReadonlyMap<string, string>;
  /** The same for look-alikes of Latin letters or digits, in lower case. */
  latin: ReadonlyMap<string, string>;
}

let table: LookAlikes | undefined;

/** Unpacked on first use. */
const lookAlikes = () => (table ??= unpack());

/** For each look-alike, the characters it resembles. */
export const prototypes = () => lookAlikes().prototypes;

/** The characters that a character resembles; itself if it resembles none. */
export function prototypeOf(character: string): string {
  return lookAlikes().prototypes.get(character) ?? character;
}

function unpack(): LookAlikes {
  const prototypes = new Map<string, string>();
  const latin = new Map<string, string>();
  for (const row of confusables.split(";").filter(Boolean)) {
    const [target = "", sources = ""] = row.split("=");
    const points = target.split("-").map((point) => parseInt(point, 36));
    const prototype = String.fromCodePoint(...points);
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

/** Texts that look alike have the same skeleton (UTS #39, section 4). It is for comparison, not for display. */
export function skeletonOf(text: string): string {
  const visible = text.normalize("NFD").replace(invisible, "");
  return Array.from(visible, prototypeOf).join("").normalize("NFD");
}

/** Signs in names that read as letters, and separators in names. */
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
/** Shorter names have too many similar ones: bum is not burn, nor is ben been. */
const minLoose = 5;

/** Keys of a name: another name with the same key looks alike, as written or ignoring case. */
export function lookAlikeKeys(name: string): Set<string> {
  const bare = name.replace(/(?:\.base)?\.eth$/i, "");
  const keys = [bare, bare.normalize("NFKC")].map((form) => foldName(form.replace(invisible, "")));
  return new Set(keys.flatMap((key) => (key.length < minLoose ? [key] : [key, loosen(key)])));
}

/** A name without separators, with letters of other scripts by appearance and digits as letters. */
function foldName(name: string): string {
  const written = shapesOf(shapesOf(name).toLowerCase()).toLowerCase();
  const whole = written.replace(parts, "") || written;
  // Numbers are not words.
  if (!/\D/.test(whole)) return whole;
  return Array.from(whole.replaceAll("vv", "w"), (letter) => asLetters.get(letter) ?? letter).join("");
}

/** Simplifies look-alike sequences: rn to m, cl to d, a doubled letter to one. */
function loosen(key: string): string {
  const wide = key.length > minLoose ? key.replaceAll("ci", "d") : key;
  return wide.replaceAll("rn", "m").replace(/(.)\1+/gsu, "$1");
}

/** Letters beyond ASCII by appearance. */
function shapesOf(text: string): string {
  const visible = Array.from(text.normalize("NFD"), (one) => (one <= "\x7F" ? one : prototypeOf(one)));
  return visible.join("").normalize("NFD");
}

/**
 * A lower-case text with letters of other scripts read as the Latin ones they resemble, word by word: words that mix
 * scripts, or that look Latin as a whole. Words plainly in another script stay.
 */
export function readAsLatin(folded: string): string {
  return folded.replace(foreignWord, (found) =>
    latinLetter.test(found) ? readMixed(found) : readWhole(found),
  );
}

function readMixed(mixed: string): string {
  const read = Array.from(
    mixed,
    (character) =>
      latinOf(character) ?? written.get(character) ?? capitalOf(character) ?? markedOf(character),
  );
  return read.join("");
}

/** Reads capitals of other scripts among Latin letters as the Latin ones, because their small forms look different. */
export function readCapitals(text: string): string {
  if (!/[ΝΥΗӀ]/.test(text)) return text;
  return text.replace(foreignWord, (found) =>
    /[a-z]/i.test(found) ? found.replace(/[ΝΥΗӀ]/g, (one) => capitals.get(one) ?? one) : found,
  );
}

/** With its accent: the Cyrillic ӧ as ö. Unchanged without an accent, or without a Latin look-alike. */
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

/** Its capitals resemble Latin ones, and are in lower case here like all letters. */
function cherokeeOf(character: string): string | undefined {
  return cherokee.test(character) ? capitalOf(character) : undefined;
}

/** к does not look like k, but between Latin letters it is read as one, because К is like K. */
function capitalOf(character: string): string | undefined {
  const capital = character.toUpperCase();
  return capital.length === character.length ? latinOf(capital) : undefined;
}

/** For a lower-case text, its letters by appearance: for comparing whole texts with any mix of scripts. ASCII stays. */
export function readAsShapes(folded: string): string {
  return folded.replace(/\P{ASCII}/gu, (character) => {
    return latinOf(character) ?? capitalOf(character) ?? prototypeOf(character);
  });
}
