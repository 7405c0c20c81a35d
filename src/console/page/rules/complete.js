import { findPlace } from "./find-place.js";

/**
 * What can be written at the caret, by a JSON schema of the text: `choices` of `{insert, label, detail}`, each in place of the
 * `word` that is begun there. undefined where nothing can be said.
 */
export function complete(schema, root, text, caret) {
  const place = findPlace(text, caret);
  if (!place) return undefined;
  const { path, writes, word, inFlow } = place;
  const here = path.reduce(
    (found, step) => found.flatMap((one) => stepInto(schema, one, step)),
    expand(schema, root),
  );
  const found =
    writes === "key"
      ? keysOf(schema, here)
      : [...valuesOf(schema, here, inFlow), ...startsOf(schema, here, place)];
  const wanted = word.toLowerCase();
  const fitting = unique(found).filter(({ label }) => label.toLowerCase().includes(wanted) && label !== word);
  const rank = ({ label }) => (label.toLowerCase().startsWith(wanted) ? 0 : 1);
  return { word, choices: fitting.toSorted((one, other) => rank(one) - rank(other)) };
}

/** A schema as all that it may be: without references and alternatives. */
function expand(whole, one) {
  if (one?.$ref)
    return expand(
      whole,
      one.$ref
        .split("/")
        .slice(1)
        .reduce((at, step) => at?.[step], whole),
    );
  const parts = [...(one?.allOf ?? []), ...(one?.anyOf ?? []), ...(one?.oneOf ?? [])];
  return parts.length > 0 ? parts.flatMap((part) => expand(whole, part)) : one ? [one] : [];
}

function stepInto(whole, one, step) {
  if (step === "[]") return expand(whole, one.items);
  const named = one.properties?.[step];
  if (named) return expand(whole, named);
  return typeof one.additionalProperties === "object" ? expand(whole, one.additionalProperties) : [];
}

function keysOf(whole, schemas) {
  return schemas.flatMap(({ properties = {} }) =>
    Object.entries(properties).map(([name, value]) => ({
      label: name,
      insert: `${name}: `,
      detail: describe(expand(whole, value)),
    })),
  );
}

function valuesOf(whole, schemas) {
  return schemas.flatMap((one) => {
    const values = one.enum ?? (one.const === undefined ? [] : [one.const]);
    const all = one.type === "boolean" && values.length === 0 ? [true, false] : values;
    return all.map((value) => ({ label: String(value), insert: String(value), detail: "" }));
  });
}

/** How a map or a list begins where a value is due: an item of a block needs no bracket for its map. */
function startsOf(whole, schemas, { writes, inFlow }) {
  const isBlockItem = writes === "item" && !inFlow;
  const bracket = isBlockItem ? "" : "{";
  return schemas.flatMap((one) => {
    const keys = keysOf(whole, [one]).map((key) => ({ ...key, insert: bracket + key.insert }));
    if (one.type !== "array") return keys;
    const items = expand(whole, one.items);
    const inList = [
      ...valuesOf(whole, items),
      ...keysOf(whole, items).map((key) => ({ ...key, insert: `{${key.insert}` })),
    ];
    return inList.map((item) => ({ ...item, insert: `[${item.insert}` }));
  });
}

/** What is due there, in a word. */
function describe(schemas) {
  const words = schemas.map((one) => {
    if (one.enum || one.const !== undefined)
      return valuesOf(undefined, [one])
        .map(({ label }) => label)
        .join(" | ");
    return (
      { array: "list", object: "map", string: "text", integer: "number", boolean: "true | false" }[
        one.type
      ] ?? one.type
    );
  });
  const all = [...new Set(words)].join(" | ");
  return all.length > 60 ? `${all.slice(0, 58)}…` : all;
}

function unique(choices) {
  return [...new Map(choices.map((choice) => [choice.insert, choice])).values()];
}
