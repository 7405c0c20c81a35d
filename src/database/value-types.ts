import { types } from "pg";

const bytea = 17;
const int8 = 20;
const int8Array = 1016;
const textArray: number = 1009;

/** How pg's clients parse values: to the same JavaScript types on both engines. */
export function getTypeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  if (format === "binary") return types.getTypeParser(oid, "binary");
  if (oid === int8) return parseInteger;
  if (oid === int8Array) return parseIntegers;
  if (oid === bytea) return parseBytes;
  return types.getTypeParser(oid, "text");
}

/** A number, or a BigInt if a number would lose digits. */
function parseInteger(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function parseIntegers(text: string): (number | bigint | null)[] {
  // pg's own parser of text[] returns the elements as text, or null.
  const elements = types.getTypeParser(textArray, "text")(text) as (string | null)[];
  return elements.map((element) => (element === null ? null : parseInteger(element)));
}

function parseBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), "hex"));
}
