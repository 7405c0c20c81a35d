/** Text as Postgres can store it: without NUL, and without halves of surrogate pairs. */
export function toStorable(text: string): string {
  return text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Where Postgres cannot store a text as it is; -1 where it can. */
export function findUnstorable(text: string): number {
  return text.search(/[\0\p{Surrogate}]/u);
}

/** The same for a JSON value, as JSON text: in jsonb too neither can be stored, also where they are escaped. */
export function toStorableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return mayBeUnstorable.test(text) ? JSON.stringify(value, storableStrings) : text;
}

/** Parses JSON text into strings that can be stored. Throws a SyntaxError. */
export function parseStorableJson(text: string): unknown {
  return mayBeUnstorable.test(text) ? JSON.parse(text, storableStrings) : JSON.parse(text);
}

/** Escapes of NUL and of surrogates, which most texts are without; as themselves they are in no text that was UTF-8. */
const mayBeUnstorable = /\0|\\u(?:0000|d[89a-f])/i;

function storableStrings(_key: string, value: unknown): unknown {
  return typeof value === "string" ? toStorable(value) : value;
}
