import { readText, type RuleText } from "./rule-text.ts";

const asLatin = { readAs: "look-alikes as Latin letters" };
const asNative = { readAs: "borrowed letters as those of the word's own script" };

/** Whether a text matches; `readAs` if only some of its letters look alike. */
type Alike = boolean | typeof asLatin;

/** The wanted text, in each form used for comparison. */
export interface WantedText {
  folded: string;
  latin: string;
  native: string;
}

export function readWanted(wanted: string): WantedText {
  const { folded, latin, native } = readText(wanted);
  return { folded, latin, native };
}

/** Every text that matches in one of those forms contains one of these. */
export function literalsOfWanted({ folded, latin, native }: WantedText): string[] {
  return native === folded || native === latin ? [folded, latin] : [folded, latin, native];
}

/** Compares a text with the wanted text: both folded, both read as Latin, or both in their words' own script. */
export function isAlike(
  text: RuleText,
  wanted: WantedText,
  compare: (text: string, wanted: string) => boolean,
): Alike {
  // The usual case: there is no other reading.
  if (isOne(wanted) && isOne(text)) return compare(text.folded, wanted.folded);
  return isAlikeIn(text, (form, read) => compare(read, wanted[form]));
}

const isOne = ({ folded, latin, native }: WantedText) => latin === folded && native === folded;

/** The same for any test on one of a text's forms. */
export function isAlikeIn(
  text: RuleText,
  holds: (form: "folded" | "latin" | "native", text: string) => boolean,
): Alike {
  if (holds("folded", text.folded)) return true;
  if (holds("latin", text.latin)) return asLatin;
  return holds("native", text.native) && asNative;
}
