import type { Endpoint } from "../../../contract/endpoint.ts";
import { pageSchemas } from "../openapi/describe-endpoint.ts";
import { toJsonSchema, type JsonSchema } from "../openapi/json-schema.ts";
import { makeExample } from "../openapi/make-example.ts";

/** One thing that a call takes. */
export interface Field {
  name: string;
  place: "path" | "query" | "body";
  required: boolean;
  /** Whether the examples of the call have it: where one of several is needed, that one. */
  inSample: boolean;
  schema: JsonSchema;
  /** A value that is taken. */
  example: unknown;
}

/** What a call takes, what it needs first. */
export function fieldsOf({ path, carrier, input, paginated }: Endpoint): Field[] {
  const schema = toJsonSchema(input, "input");
  const required = new Set(schema.required);
  // Examples of what a query's text becomes are no examples of the text: those have a name of their own.
  const sample = schema.examples?.[0] ?? schema["x-sample"];
  const shown = new Set(sample === undefined ? required : Object.keys(Object(sample)));
  const whole = Object(sample ?? makeExample(schema)) as Record<string, unknown>;
  const fields = Object.entries(schema.properties ?? {}).map(([name, each]): Field => {
    const isInPath = path.includes(`{${name}}`);
    return {
      name,
      place: isInPath ? "path" : carrier,
      required: isInPath || required.has(name),
      inSample: isInPath || required.has(name) || shown.has(name),
      schema: carrier === "query" ? (each.anyOf?.[0] ?? each) : each,
      example: whole[name] ?? makeExample(each, name),
    };
  });
  const paging = Object.entries(paginated ? pageSchemas(paginated) : {}).map(([name, each]): Field => ({
    name,
    place: "query",
    required: false,
    inSample: false,
    schema: each,
    example: name === "limit" ? 10 : "",
  }));
  return [...fields, ...paging].toSorted((one, other) => Number(other.inSample) - Number(one.inSample));
}

/** What kind of value a schema takes, in words. */
export function describeType(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" or ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(describeType))].join(", or ");
  // In queries of the registry: a number, or any text that is then no filter.
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  if (schema.type === "array") return `array of ${describeType(schema.items ?? {})}`;
  if (schema.type === "object") return `object { ${Object.keys(schema.properties ?? {}).join(", ")} }`;
  return [schema.type ?? "any value", describeRange(schema)].filter((part) => part !== "").join(", ");
}

function describeRange({ minimum, maximum, maxLength, type }: JsonSchema): string {
  const isOpen = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER;
  if (type === "integer" || type === "number") {
    if (minimum === undefined && isOpen) return "";
    return isOpen ? `${String(minimum)} or more` : `${String(minimum ?? 0)} to ${String(maximum)}`;
  }
  return typeof maxLength === "number" ? `at most ${maxLength} characters` : "";
}
