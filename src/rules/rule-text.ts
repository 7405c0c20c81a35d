/** A stranger's text as rules read it. */
export interface RuleText {
  raw: string;
  /** NFKC, without what does not show (zero-width, directional marks, fillers). */
  plain: string;
  /** `plain` in lower case. */
  folded: string;
  /** Longer than `textLimit`: what comes after it is not read. */
  cut: boolean;
}

/** Characters of a text that rules read, before and after normalising; keeps one event's cost bounded. */
export const textLimit = 10_240;

const invisible = /\p{Default_Ignorable_Code_Point}/gu;

export function readText(raw: string): RuleText {
  const head = raw.slice(0, textLimit);
  // Removing a filler can bring a letter and its accent together, hence the second composition.
  const whole = head.normalize("NFKC").replace(invisible, "").normalize("NFKC");
  const plain = whole.slice(0, textLimit);
  const cut = raw.length > textLimit || whole.length > textLimit;
  return { raw: head, plain, folded: plain.toLowerCase(), cut };
}
