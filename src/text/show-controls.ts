/**
 * Characters that a terminal executes instead of showing, or that reorder the text around them: controls except tab and
 * line feed, and those of right-to-left text.
 */
const controls =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A text for a terminal, with such characters escaped as in JSON. */
export function showControls(text: string): string {
  return text.replaceAll(
    controls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A destination for text. */
export interface TextOutput {
  write(text: string): unknown;
}

/** A writer that escapes terminal controls, because services and files contain others' text. */
export function plainOutput(out: TextOutput): TextOutput {
  return { write: (text) => out.write(showControls(text)) };
}
