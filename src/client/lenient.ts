import { z } from "zod";
import { Channel, FollowedChannel } from "../contract/channels.ts";
import { CastHash, Seconds } from "../contract/values.ts";
import { parseStorableJson } from "../text/storable.ts";

/** Other networks' hashes are longer than ours. */
const AnyCastHash = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{40,64}$/);

/** Times may be in milliseconds where seconds are declared, or vice versa; no time in seconds is so large (C1). */
const AnySeconds = z
  .number()
  .transform((time) => Math.trunc(time > 1e11 ? time / 1000 : time))
  .pipe(z.int());

/** A channel may lack every field except id, url and name. */
const channelDefaults: Record<string, () => unknown> = {
  descriptionMentions: () => [],
  descriptionMentionsPositions: () => [],
  imageUrl: () => "",
  moderatorFids: () => [],
  createdAt: () => 0,
  followerCount: () => 0,
  memberCount: () => 0,
  publicCasting: () => true,
};

/**
 * A lenient version of a result's schema: keeps the types that our code relies on, drops formats and ranges, treats
 * null as absent, and fills in missing fields.
 */
export function lenient(schema: z.core.$ZodType): z.ZodType {
  if (schema === CastHash) return AnyCastHash;
  if (schema === Seconds) return AnySeconds;
  if (schema instanceof z.ZodObject) return lenientObject(schema);
  if (schema instanceof z.ZodArray) return z.array(lenient(schema.element));
  if (schema instanceof z.ZodOptional) return orElse(lenient(schema.unwrap()), () => undefined);
  if (schema instanceof z.ZodNullable) return lenient(schema.unwrap()).nullable();
  if (schema instanceof z.ZodString) return z.string();
  // Columns store integers: fractions are cut off, and numbers beyond the network's range rejected.
  if (schema instanceof z.ZodNumberFormat) return z.number().transform(Math.trunc).pipe(z.int());
  if (schema instanceof z.ZodNumber) return z.number();
  // The rest are strings, booleans and literals; all contract schemas are classic zod types.
  return schema as z.ZodType;
}

function lenientObject(schema: z.ZodObject): z.ZodType {
  const defaults = schema === Channel || schema === FollowedChannel ? channelDefaults : {};
  const shape = Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => {
      const fallback = defaults[name];
      return [name, fallback ? orElse(lenient(field), fallback) : lenient(field)];
    }),
  );
  return schema.def.catchall ? z.looseObject(shape) : z.object(shape);
}

/**
 * Removes unknown rows from a result's lists, such as one with a role newer than this code, so that they do not fail
 * the page. If all rows are unknown, the list stays unchanged, because then the page itself is unknown.
 */
export function createRowFilter(
  schema: z.core.$ZodType,
): (result: JsonObject, onDropped: (list: string, error: z.ZodError) => void) => JsonObject {
  const lists = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  const rows = lists.flatMap(([name, field]): [string, z.ZodType][] =>
    field instanceof z.ZodArray &&
    (field.element instanceof z.ZodObject || field.element instanceof z.ZodUnion)
      ? [[name, lenient(field.element)]]
      : [],
  );
  return (result, onDropped) => {
    const kept: JsonObject = { ...result };
    for (const [name, row] of rows) {
      const given = result[name];
      if (!Array.isArray(given)) continue;
      const errors = given.map((each) => row.safeParse(each).error);
      for (const error of errors) if (error) onDropped(name, error);
      if (errors.some((error) => error === undefined)) {
        kept[name] = given.filter((_, index) => errors[index] === undefined);
      }
    }
    return kept;
  };
}

function orElse(schema: z.ZodType, fallback: () => unknown): z.ZodType {
  return schema.nullish().transform((value) => value ?? fallback());
}

export type JsonObject = Record<string, unknown>;

/** The JSON object in a text, with strings that can be stored; undefined for anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = parseStorableJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
