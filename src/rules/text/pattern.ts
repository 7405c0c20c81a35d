import { RE2JS, RE2JSSyntaxException } from "re2js";
import { z } from "zod";
import { foldPattern, type Fold } from "./fold.ts";

/** A regular expression that matches in time linear to the text. */
interface Pattern {
  source: string;
  /** Grows with the pattern's cost; compare with `patternLimits.size`. */
  size: number;
  /** Whether folded texts need another pattern. */
  isFolded: boolean;
  /** Whether it matches a text, or one folded this way. */
  matches(text: string, fold?: Fold): boolean;
}

export const patternLimits = { characters: 500, size: 300 } as const;

/** An RE2 pattern as written in rules; issues show where in it the mistake is. */
export const PatternText = z
  .string()
  .min(1)
  .max(patternLimits.characters)
  .transform((source, context): Pattern => {
    const refuse = (message: string) => {
      context.issues.push({ code: "custom", message, input: source });
      return z.NEVER;
    };
    try {
      // An accent typed separately from its letter is composed, as in texts.
      const compiled = RE2JS.compile(source.normalize("NFC"));
      const size = compiled.programSize();
      if (size <= patternLimits.size) return patternOf(source, size, compiled);
      return refuse(
        `this pattern is too large (${size} steps, at most ${patternLimits.size}): repeat less often`,
      );
    } catch (error) {
      if (!(error instanceof RE2JSSyntaxException)) throw error;
      const at = findMistake(source, error);
      return refuse(`not a valid pattern: ${nameMistake(source.slice(at), error)} at character ${at + 1}`);
    }
  });

function patternOf(source: string, size: number, compiled: RE2JS): Pattern {
  // Created when a text is first folded this way: most never are.
  const folded = new Map<Fold, RE2JS | undefined>();
  const isFolded = foldPattern(source, "exact") !== source;
  if (!isFolded) folded.set("exact", compiled);
  return {
    source,
    size,
    isFolded,
    matches(text, fold) {
      if (fold === undefined) return compiled.test(text);
      if (!folded.has(fold)) folded.set(fold, compileFolded(source, fold));
      return folded.get(fold)?.test(text) ?? false;
    },
  };
}

function compileFolded(source: string, fold: Fold): RE2JS | undefined {
  const folded = foldPattern(source, fold);
  try {
    return folded === undefined ? undefined : RE2JS.compile(folded);
  } catch (error) {
    // A range that ends before it begins without its accents.
    if (error instanceof RE2JSSyntaxException) return undefined;
    throw error;
  }
}

/** Explains syntax that other engines have and RE2 omits on purpose. */
function nameMistake(begins: string, { error }: RE2JSSyntaxException): string {
  if (/^\(\?<?[=!]/.test(begins)) return "lookahead and lookbehind are not supported";
  if (/^\\[1-9]/.test(begins)) return "backreferences are not supported";
  return error;
}

/** Index of the compiler's error: the first place where the pattern, cut after it, fails in the same way. */
function findMistake(source: string, { error, input }: RE2JSSyntaxException): number {
  if (error === "missing closing )") return scanGroups(source).open.at(-1) ?? 0;
  if (error === "unexpected )") return scanGroups(source).unopened ?? 0;
  if (!input) return source.length - 1;
  for (let index = source.indexOf(input); index >= 0; index = source.indexOf(input, index + 1)) {
    if (failsAlike(source.slice(0, index + input.length), error)) return index;
  }
  return Math.max(0, source.lastIndexOf(input));
}

function failsAlike(source: string, error: string): boolean {
  try {
    RE2JS.compile(source);
    return false;
  } catch (other) {
    return other instanceof RE2JSSyntaxException && other.error === error;
  }
}

function scanGroups(source: string): { open: number[]; unopened?: number } {
  const open: number[] = [];
  let inClass = false;
  for (let index = 0; index < source.length; index++) {
    const character = source[index];
    if (character === "\\") index++;
    else if (inClass) inClass = character !== "]";
    else if (character === "[") inClass = true;
    else if (character === "(") open.push(index);
    else if (character === ")" && open.pop() === undefined) return { open, unopened: index };
  }
  return { open };
}
