import { foldCase } from "../../text/letters.ts";
import { readAsNative } from "../../text/native-letters.ts";
import { readAsLatin } from "../../text/skeleton.ts";
import { takeAddresses } from "../links/address.ts";
import { hasIdleAccents, withoutAccents } from "./accents.ts";
import { readDrawn, turnUpright } from "./drawn-letters.ts";
import { foldLetters, foldOf, type Fold } from "./fold.ts";
import { repairLinks } from "./repair-links.ts";
import { looksDisguised } from "./signs.ts";
import { joinLetters, parseGaps } from "./spelled-out.ts";

/** A disguised text as people read it, in lower case. */
export interface TextReading {
  text: string;
  /** How it was read, for people: "accents left out, digits as letters". */
  how: string;
  /** How the wanted text must be folded before the comparison. */
  fold: Fold;
}

const place = "\u{E000}";

/** The other readings of a text, in lower case: none if nothing suggests a disguise. Each has at most `most` characters. */
export function readDisguised(folded: string, most: number): TextReading[] {
  if (!looksDisguised(folded)) return [];
  const mended = repairLinks(folded);
  const { text: unlinked, links } = takeAddresses(mended, place);
  const start: Draft = { text: unlinked, how: mended === folded ? [] : ["links made whole"] };
  const drawn = step(start, readDrawn, "drawn letters as plain ones");
  const drafts = [
    drawn,
    ...turnUpright(drawn.text).map((text) => ({ text, how: [...drawn.how, "turned upright"] })),
  ];
  const seen = new Set([readAsLatin(folded), foldCase(readAsNative(folded))]);
  return drafts.flatMap(complete).flatMap(({ text, how, fold }) => {
    let next = 0;
    const whole = text.replaceAll(place, () => links[next++] ?? "").slice(0, most);
    if (seen.has(whole)) return [];
    seen.add(whole);
    return [{ text: whole, how: how.join(", "), fold }];
  });
}

/** A text in the course of being read. */
interface Draft {
  text: string;
  how: readonly string[];
}

function step({ text, how }: Draft, change: (text: string) => string, name: string): Draft {
  const changed = change(text);
  return changed === text ? { text, how } : { text: changed, how: [...how, name] };
}

/** The readings of an upright text: with its letters as they are, and by their shape. */
function complete(draft: Draft): (Draft & { fold: Fold })[] {
  const bare = hasIdleAccents(draft.text);
  const plain = bare ? step(draft, withoutAccents, "accents left out") : draft;
  const joined = step(plain, joinLetters, "spelled words joined");
  const spaced = step(joined, parseGaps, "symbols left out");
  const latin = step(spaced, readAsLatin, "look-alikes as Latin letters");
  const native = step(
    spaced,
    (text) => foldCase(readAsNative(text)),
    "borrowed letters as those of their word",
  );
  const exact = foldOf({ bare, shape: false });
  const clear = [latin, ...(native.text === spaced.text ? [] : [native])].map((one) => ({
    ...one,
    fold: exact,
  }));
  if (!isLeet(latin.text) && !isDrawnOut(latin.text)) return clear;
  const lettered = step(latin, readDigits, "digits as letters");
  const fold = foldOf({ bare, shape: true });
  const shaped = step(lettered, (text) => foldLetters(text, fold), "repeated letters once");
  return [...clear, { ...shaped, fold }];
}

const like = new Map(
  Object.entries({
    0: "o",
    1: "i",
    2: "z",
    3: "e",
    4: "a",
    5: "s",
    6: "g",
    7: "t",
    8: "b",
    9: "g",
    "@": "a",
    $: "s",
  }),
);
const token = /[\p{L}\p{N}@$!|](?:[\p{L}\p{N}\p{M}@$!|]{0,60}[\p{L}\p{N}@$])?/gu;
const notLetter = /[0-9@$!|]/g;
/** Ordinary words with digits: 10k, 100x, $degen, v2, web3. */
const ordinary = /^(?:[0-9]+[a-z]{1,2}|\$?[a-z]+[0-9]*)$/;

function isLeet(text: string): boolean {
  return (text.match(token) ?? []).some((one) => isMixed(one) && !ordinary.test(one));
}

const isMixed = (one: string) => /[a-z]/.test(one) && /[0-9@$!|]/.test(one);
const isDrawnOut = (text: string) => /(\p{L})\1\1|aa|ii|uu/u.test(text);

/** Reads digits inside words as letters; numbers stay. */
function readDigits(text: string): string {
  return text.replace(token, (one) =>
    isMixed(one) ? one.replace(notLetter, (character) => like.get(character) ?? "i") : one,
  );
}
