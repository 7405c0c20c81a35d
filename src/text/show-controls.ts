/**
 * Characters that a terminal obeys instead of showing them, or that turn the order of what is around them: the controls but tab and
 * line feed, and those of right-to-left text.
 */
const controls =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A text for a terminal, with such characters written out as JSON writes them. */
export function showControls(text: string): string {
  return text.replaceAll(
    controls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Where text is written. */
export interface TextOutput {
  write(text: string): unknown;
}

/** Writes there without what a terminal would obey: what services and files say is others' text. */
export function plainOutput(out: TextOutput): TextOutput {
  return { write: (text) => out.write(showControls(text)) };
}
