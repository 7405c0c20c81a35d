import { confusables } from "./confusables.ts";
import { invisible } from "./letters.ts";

/** Looked for at its beginning alone: from every place on, a long text would take a long time. */
const word = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]*[^\P{L}\p{ASCII}][\p{L}\p{N}\p{M}]*/gu;
const latinLetter = /[a-z]/;

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

/** Keys of a name: who shares one of them looks like it, as written or whatever the case. */
export function lookAlikeKeys(name: string): Set<string> {
  const bare = name.replace(/\.eth$/i, "");
  const folded = bare.normalize("NFKC").replace(invisible, "").toLowerCase();
  return new Set([skeletonOf(bare), skeletonOf(skeletonOf(folded).toLowerCase())]);
}

/**
 * A text in lower case with letters of other scripts read as the Latin ones that they look like, word by word: a word that
 * mixes scripts, or that looks Latin as a whole. Words that are plainly of another script stay.
 */
export function readAsLatin(folded: string): string {
  return folded.replace(word, (found) => (latinLetter.test(found) ? readMixed(found) : readWhole(found)));
}

function readMixed(mixed: string): string {
  return Array.from(mixed, (character) => latinOf(character) ?? capitalOf(character) ?? character).join("");
}

function readWhole(foreign: string): string {
  const read = Array.from(foreign, latinOf);
  return read.includes(undefined) ? foreign : read.join("");
}

function latinOf(character: string): string | undefined {
  return character <= "\x7f" ? character : lookAlikes().latin.get(character);
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
