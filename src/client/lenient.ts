import { z } from "zod";
import { Channel, FollowedChannel } from "../contract/channels.ts";
import { CastHash, Seconds } from "../contract/values.ts";
import { parseStorableJson } from "../text/storable.ts";

/** Hashes of other networks are longer than ours. */
const AnyCastHash = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{40,64}$/);

/** Times are declared in milliseconds and given in seconds, or the other way round: no second is so large (C1). */
const AnySeconds = z
  .number()
  .transform((time) => Math.trunc(time > 1e11 ? time / 1000 : time))
  .pipe(z.int());

/** Every field of a channel but id, url and name may be missing. */
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
 * A result's schema as the client reads it: the types that our code relies on stay, but formats and ranges go, null
 * is as good as absent, and what may be missing is filled in.
 */
export function lenient(schema: z.core.$ZodType): z.ZodType {
  if (schema === CastHash) return AnyCastHash;
  if (schema === Seconds) return AnySeconds;
  if (schema instanceof z.ZodObject) return lenientObject(schema);
  if (schema instanceof z.ZodArray) return z.array(lenient(schema.element));
  if (schema instanceof z.ZodOptional) return orElse(lenient(schema.unwrap()), () => undefined);
  if (schema instanceof z.ZodNullable) return lenient(schema.unwrap()).nullable();
  if (schema instanceof z.ZodString) return z.string();
  // A whole number is stored as one: half a second goes, and what is beyond all numbers of the network is refused.
  if (schema instanceof z.ZodNumberFormat) return z.number().transform(Math.trunc).pipe(z.int());
  if (schema instanceof z.ZodNumber) return z.number();
  // What is left are words, booleans and literals; all contract schemas are classic zod types.
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
 * Takes rows of another make out of a result's lists, such as one with a role that did not exist when this was written: it
 * must not cost the page. A list of nothing else stays as it is, for then it is the page that is of another make.
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

/** The JSON object in a text, its strings such as can be stored; undefined for anything else. */
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
