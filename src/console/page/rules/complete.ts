import type { z } from "zod";
import { findPlace, type YamlPlace } from "./find-place.ts";

type Schema = z.core.JSONSchema.JSONSchema;
/** A nested schema. */
type Part = Schema["items"];

export interface Choice {
  label: string;
  insert: string;
  detail: string;
}

/**
 * The suggestions at the caret, by a JSON Schema. Each one replaces the started `word`. The text is at the path
 * `within`. undefined if there are none.
 */
export function complete(
  schema: Schema,
  within: readonly string[],
  text: string,
  caret: number,
): { word: string; choices: Choice[] } | undefined {
  const place = findPlace(text, caret);
  if (!place) return undefined;
  const { path, writes, word } = place;
  const here = [...within, ...path].reduce(
    (found, step) => found.flatMap((one) => stepInto(schema, one, step)),
    expand(schema, schema),
  );
  const found =
    writes === "key" ? keysOf(schema, here) : [...valuesOf(here), ...startsOf(schema, here, place)];
  const wanted = word.toLowerCase();
  const fitting = unique(found).filter(({ label }) => label.toLowerCase().includes(wanted) && label !== word);
  const rank = ({ label }: Choice) => (label.toLowerCase().startsWith(wanted) ? 0 : 1);
  return { word, choices: fitting.toSorted((one, other) => rank(one) - rank(other)) };
}

/** The alternatives of a schema, without references. */
function expand(whole: Schema, one: Part): Schema[] {
  if (Array.isArray(one)) return one.flatMap((part) => expand(whole, part));
  if (typeof one !== "object") return [];
  if (one.$ref !== undefined) return expand(whole, resolve(whole, one.$ref));
  const parts = [...(one.allOf ?? []), ...(one.anyOf ?? []), ...(one.oneOf ?? [])];
  return parts.length > 0 ? parts.flatMap((part) => expand(whole, part)) : [one];
}

/** The schema of a reference such as "#/definitions/condition". */
function resolve(whole: Schema, reference: string): Schema | undefined {
  let at: Schema | undefined = whole;
  // Each step of a reference leads to a schema, or to a map of schemas.
  for (const step of reference.split("/").slice(1)) at = at?.[step] as Schema | undefined;
  return at;
}

function stepInto(whole: Schema, one: Schema, step: string): Schema[] {
  if (step === "[]") return expand(whole, one.items);
  return expand(whole, one.properties?.[step] ?? one.additionalProperties);
}

function keysOf(whole: Schema, schemas: readonly Schema[]): Choice[] {
  return schemas.flatMap(({ properties = {} }) =>
    Object.entries(properties).map(([name, value]) => ({
      label: name,
      insert: `${name}: `,
      detail: describe(expand(whole, value)),
    })),
  );
}

function valuesOf(schemas: readonly Schema[]): Choice[] {
  return schemas.flatMap((one) => {
    const values = one.enum ?? (one.const === undefined ? [] : [one.const]);
    const all = one.type === "boolean" && values.length === 0 ? [true, false] : values;
    return all.map((value) => ({ label: String(value), insert: String(value), detail: "" }));
  });
}

/** The start of a map or list as a value. An item of a block needs no bracket for its map. */
function startsOf(whole: Schema, schemas: readonly Schema[], { writes, inFlow }: YamlPlace): Choice[] {
  const isBlockItem = writes === "item" && !inFlow;
  const after = (bracket: string, choices: Choice[]) =>
    choices.map((one) => ({ ...one, insert: bracket + one.insert }));
  return schemas.flatMap((one) => {
    const keys = after(isBlockItem ? "" : "{", keysOf(whole, [one]));
    if (one.type !== "array") return keys;
    const items = expand(whole, one.items);
    return after("[", [...valuesOf(items), ...after("{", keysOf(whole, items))]);
  });
}

const typeWords: Readonly<Record<string, string>> = {
  array: "list",
  object: "map",
  string: "text",
  integer: "number",
  boolean: "true | false",
};

/** A short description of the expected value. */
function describe(schemas: readonly Schema[]): string {
  const words = schemas.map((one) => {
    if (one.enum || one.const !== undefined)
      return valuesOf([one])
        .map(({ label }) => label)
        .join(" | ");
    return typeWords[String(one.type)] ?? one.type;
  });
  const all = [...new Set(words)].join(" | ");
  return all.length > 60 ? `${all.slice(0, 58)}…` : all;
}

function unique(choices: readonly Choice[]): Choice[] {
  return [...new Map(choices.map((choice) => [choice.insert, choice])).values()];
}
