/** Text as Postgres can store it: without NUL, and without halves of surrogate pairs. */
// @ts-nocheck

export function toStorable(text: string): string {
  return text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\ufffd");
}
