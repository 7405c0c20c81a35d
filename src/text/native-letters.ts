import { foreignWord, prototypeOf, prototypes } from "./skeleton.ts";

/** Scripts that are not mixed within a word. */
const scripts = (
  "Cyrillic Greek Armenian Georgian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada " +
  "Malayalam Sinhala Thai Lao Myanmar Khmer Tibetan Ethiopic Cherokee Coptic Tifinagh Lisu Canadian_Aboriginal"
)
  .split(" ")
  .map((name) => ({ name, has: new RegExp(`^\\p{Script=${name}}$`, "u") }));
const latin = /^\p{Script=Latin}$/u;
/** Chinese, Japanese and Korean mix these in one word. */
const eastern = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]$/u;
const anyEastern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The common letters of a script: others may be closer look-alikes, but are rarely meant. */
const usual = new Map([
  ["Cyrillic", /^[а-яёєіїґў]$/iu],
  ["Greek", /^[α-ωά-ώ]$/iu],
  ["Armenian", /^[ա-և]$/iu],
]);
/** Common substitutes for letters that Unicode's table lacks. */
const written = new Map([
  ["Cyrillic", new Map(Object.entries({ u: "и", n: "п", w: "ш", ε: "е", "4": "ч" }))],
  ["Greek", new Map(Object.entries({ n: "η", w: "ω", v: "ν", c: "σ", b: "β" }))],
  ["Armenian", new Map(Object.entries({ r: "ր", a: "ա", l: "լ", j: "յ" }))],
]);

const letter = /\p{L}/u;
const digit = /^[0-9]$/;

/**
 * A text with letters borrowed from other scripts read as those of the word's own: pозыгрыш with a Latin p is розыгрыш. A
 * word in a single script stays; look-alikes among the Japanese scripts are read as one of them.
 */
export function readAsNative(text: string): string {
  return text.replace(foreignWord, (found) => {
    const letters = Array.from(found);
    if (anyEastern.test(found)) return letters.map(readEastern).join("");
    const script = scriptOf(letters);
    if (script === undefined) return found;
    const read = letters.map((one, place) =>
      isBorrowed(letters, place, script) ? nativeOf(one, script) : one,
    );
    // A word with letters that have no look-alike in the script does not belong to it.
    return read.includes(undefined) ? found : read.join("");
  });
}

function readEastern(character: string): string {
  const shape = prototypeOf(character);
  return eastern.test(character) && eastern.test(shape) ? shape : character;
}

/** The non-Latin script of most letters of a word; undefined if all letters belong to it. */
function scriptOf(letters: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  let isMixed = false;
  for (const one of letters) {
    const script = scripts.find(({ has }) => has.test(one));
    if (script) counts.set(script.name, (counts.get(script.name) ?? 0) + 1);
    isMixed ||= script === undefined && (latin.test(one) || digit.test(one));
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return isMixed || counts.size > 1 ? most?.[0] : undefined;
}

/** A letter of another script, or a single digit next to a letter. */
function isBorrowed(letters: readonly string[], place: number, script: string): boolean {
  const [before = "", one = "", after = ""] = [letters[place - 1], letters[place], letters[place + 1]];
  if (!digit.test(one)) return letter.test(one) && !scriptNamed(script).test(one);
  return !digit.test(before) && !digit.test(after) && letter.test(before + after);
}

function nativeOf(character: string, script: string): string | undefined {
  const [base = "", ...marks] = Array.from(character.normalize("NFD"));
  if (marks.length === 0) return nativeOfBare(character, script);
  const letter = nativeOfBare(base, script);
  if (letter === undefined) return undefined;
  const marked = [letter, ...marks].join("").normalize("NFC");
  return usual.get(script)?.test(marked) === false ? letter : marked;
}

function nativeOfBare(character: string, script: string): string | undefined {
  const small = character.toLowerCase();
  const other = small === character ? character.toUpperCase() : small;
  const meant = written.get(script)?.get(small);
  const choices = [
    small > "\x7F" ? meant : undefined,
    lookAlikeOf(character, script),
    lookAlikeOf(other, script),
    meant,
  ];
  return choices.find((choice) => choice !== undefined && (usual.get(script)?.test(choice) ?? true));
}

function lookAlikeOf(character: string, script: string): string | undefined {
  const shape = prototypeOf(character);
  return scriptNamed(script).test(shape) ? shape : byShape(script).get(shape);
}

const scriptNamed = (name: string) => scripts.find((script) => script.name === name)?.has ?? latin;

const shapes = new Map<string, ReadonlyMap<string, string>>();

/** A script's letters by appearance; if several look alike, the first in its alphabet. */
function byShape(script: string): ReadonlyMap<string, string> {
  const known = shapes.get(script);
  if (known) return known;
  const found = new Map<string, string>();
  const has = scriptNamed(script);
  const isUsual = usual.get(script);
  for (const [character, shape] of prototypes()) {
    if (!has.test(character)) continue;
    const current = found.get(shape);
    if (current === undefined || (isUsual && !isUsual.test(current) && isUsual.test(character)))
      found.set(shape, character);
  }
  shapes.set(script, found);
  return found;
}
