import { z } from "zod";

/** The subset of JSON Schema (2020-12) that the contract's schemas use. */
export interface JsonSchema {
  $schema?: string;
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  description?: string;
  additionalProperties?: unknown;
  [keyword: string]: unknown;
}

/** A contract schema as callers write it ("input") or read it ("output"). */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema;
  return openObjects(rest);
}

/** Readers must accept unknown fields, so no object is closed. */
function openObjects(schema: JsonSchema): JsonSchema {
  const { additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(additionalProperties !== false && additionalProperties !== undefined && { additionalProperties }),
    ...(rest.properties && {
      properties: Object.fromEntries(
        Object.entries(rest.properties).map(([name, part]) => [name, openObjects(part)]),
      ),
    }),
    ...(rest.items && { items: openObjects(rest.items) }),
    ...(rest.anyOf && { anyOf: rest.anyOf.map(openObjects) }),
  };
}
