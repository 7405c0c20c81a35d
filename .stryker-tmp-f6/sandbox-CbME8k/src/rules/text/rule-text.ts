// @ts-nocheck
import { readAsLatin } from "../../text/skeleton.ts";

/** A stranger's text as rules read it. */
export interface RuleText {
  raw: string;
  /** NFKC, without what does not show (zero-width, directional marks, fillers). */
  plain: string;
  /** `plain` in lower case. */
  folded: string;
  /** `folded` with letters of other scripts read as the Latin ones that they look like. */
  latin: string;
  /** Longer than `textLimit`: what comes after it is not read. */
  cut: boolean;
}

/** Characters of a text that rules read, before and after normalising; keeps one event's cost bounded. */
export const textLimit = 10_240;

const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const foreign = /\P{ASCII}/u;

export function readText(raw: string): RuleText {
  const head = raw.slice(0, textLimit);
  if (!foreign.test(head)) {
    const folded = head.toLowerCase();
    return { raw: head, plain: head, folded, latin: folded, cut: raw.length > textLimit };
  }
  // Removing a filler can bring a letter and its accent together, hence the second composition.
  const whole = head.normalize("NFKC").replace(invisible, "").normalize("NFKC");
  const plain = whole.slice(0, textLimit);
  const folded = plain.toLowerCase();
  const cut = raw.length > textLimit || whole.length > textLimit;
  return { raw: head, plain, folded, latin: readAsLatin(folded), cut };
}
