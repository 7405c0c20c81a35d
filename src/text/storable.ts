/** Text as Postgres can store it: without NUL and unpaired surrogates. */
export function toStorable(text: string): string {
  return text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\ufffd");
}

/** The position that Postgres cannot store; -1 if it can store all of the text. */
export function findUnstorable(text: string): number {
  return text.search(/[\0\p{Surrogate}]/u);
}

/** The same for a JSON value, as JSON text: jsonb cannot store them even if escaped. */
export function toStorableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return mayBeUnstorable.test(text) ? JSON.stringify(value, storableStrings) : text;
}

/** Parses JSON text into strings that can be stored. Throws a SyntaxError. */
export function parseStorableJson(text: string): unknown {
  return mayBeUnstorable.test(text) ? JSON.parse(text, storableStrings) : JSON.parse(text);
}

/** Escapes of NUL and surrogates, which most texts lack. Decoded UTF-8 never contains unpaired surrogates themselves. */
const mayBeUnstorable = /\0|\\u(?:0000|d[89a-f])/i;

function storableStrings(_key: string, value: unknown): unknown {
  return typeof value === "string" ? toStorable(value) : value;
}
