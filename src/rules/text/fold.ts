import { foldCase } from "../../text/letters.ts";
import { withoutAccents } from "./accents.ts";

/**
 * Differences that a comparison ignores: only case; accents; with "shape" also repeated letters, and l against i, because
 * both are written as 1.
 */
export type Fold = "exact" | "bare" | "shape" | "bareShape";

const isBare = (fold: Fold) => fold === "bare" || fold === "bareShape";
const isShape = (fold: Fold) => fold === "shape" || fold === "bareShape";

export function foldOf({ bare, shape }: { bare: boolean; shape: boolean }): Fold {
  if (shape) return bare ? "bareShape" : "shape";
  return bare ? "bare" : "exact";
}

const repeated = /(\p{L})\1+/gu;

/** A text in lower case, folded for comparison: the wanted text is folded the same way. */
export function foldLetters(text: string, fold: Fold): string {
  const bare = isBare(fold) ? withoutAccents(text) : text;
  return isShape(fold) ? bare.replaceAll("l", "i").replace(repeated, "$1") : bare;
}

/** A piece of a pattern: literal text or syntax. */
const piece =
  /\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.|\(\?P?<[^>]*>|\(\?[a-zA-Z-]*[:)]|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]|\{[0-9,]+\}|./gsu;
const letters = /(?:(?!\p{ASCII})[\p{L}\p{M}\p{Nd}]|[a-z](?=\p{M}))+/giu;
/** Letters as in texts: half-width and composed. A pattern's ｇ does not mean every g. */
function compose(run: string): string {
  const composed = run.normalize("NFKC");
  return /\p{ASCII}/u.test(composed) ? run.normalize("NFC") : composed;
}
const drawnOut = /(\p{L})\1(?:\1|[+{])/iu;

/** A pattern that matches a folded text if the pattern matches the text; undefined if there is none. */
export function foldPattern(source: string, fold: Fold): string | undefined {
  if (fold === "exact" && !/\P{ASCII}/u.test(source)) return source;
  // A rule about repeated letters needs them.
  if (source.includes(String.raw`\Q`) || (isShape(fold) && drawnOut.test(source))) return undefined;
  let folded = "";
  let last = "";
  const pieces = source.replace(letters, compose).match(piece) ?? [];
  for (const [index, one] of pieces.entries()) {
    const letter = one.length === 1 ? foldLetter(one, fold) || nothing : "";
    const isOptional = /^[?*]/.test(pieces[index + 1] ?? "");
    if (isShape(fold) && letter !== "" && letter.toLowerCase() === last && !isOptional) continue;
    folded += one.startsWith("[") ? foldClass(one, fold) : letter || one;
    last = /\p{L}/u.test(letter) ? letter.toLowerCase() : "";
  }
  return folded;
}

/** Replaces a mark that texts may lack, and that may be repeated. */
const nothing = "(?:)";

/** A letter as both sides of a comparison have it; a capital stays one, because the pattern may distinguish it. */
function foldLetter(letter: string, fold: Fold): string {
  const small = foldCase(letter);
  const folded = letter === letter.toLowerCase() ? small : small.toUpperCase();
  const bare = isBare(fold) ? withoutAccents(folded) : folded;
  if (!isShape(fold)) return bare;
  return bare === "L" ? "I" : bare.replace("l", "i");
}

/** The letters of a class, but not its ranges. */
function foldClass(written: string, fold: Fold): string {
  const parts = /\[:[^\]]*:\]|\\[pP]\{[^}]*\}|\\.|.-[^\]]|./gsu;
  return written.replace(parts, (one) => (one.length === 1 ? foldLetter(one, fold) : one));
}
