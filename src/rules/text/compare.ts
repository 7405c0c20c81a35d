import { readText, type RuleText } from "./rule-text.ts";

const asLatin = { readAs: "look-alikes as Latin letters" };
const asNative = { readAs: "borrowed letters as those of the word's own script" };

/** Whether a text is what is looked for; `readAs` where only some of its letters look like it. */
type Alike = boolean | typeof asLatin;

/** What is looked for, in each of the ways in which texts are compared. */
export interface WantedText {
  folded: string;
  latin: string;
  native: string;
}

export function readWanted(wanted: string): WantedText {
  const { folded, latin, native } = readText(wanted);
  return { folded, latin, native };
}

/** One of these is in every text that has it in one of those ways. */
export function literalsOfWanted({ folded, latin, native }: WantedText): string[] {
  return native === folded || native === latin ? [folded, latin] : [folded, latin, native];
}

/** Compares a text with what is looked for as both are folded, and as both are read as Latin, or as their words' own script. */
export function isAlike(
  text: RuleText,
  wanted: WantedText,
  compare: (text: string, wanted: string) => boolean,
): Alike {
  // As nearly all are: there is nothing to read in another way.
  if (isOne(wanted) && isOne(text)) return compare(text.folded, wanted.folded);
  return isAlikeIn(text, (form, read) => compare(read, wanted[form]));
}

const isOne = ({ folded, latin, native }: WantedText) => latin === folded && native === folded;

/** The same for any test of a text in one of its forms. */
export function isAlikeIn(
  text: RuleText,
  holds: (form: "folded" | "latin" | "native", text: string) => boolean,
): Alike {
  if (holds("folded", text.folded)) return true;
  if (holds("latin", text.latin)) return asLatin;
  return holds("native", text.native) && asNative;
}
