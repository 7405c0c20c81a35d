import type { Endpoint } from "../../../contract/endpoint.ts";
import { toJsonSchema } from "../openapi/json-schema.ts";
import type { Field } from "./fields.ts";

/** The address in samples; the page's script puts in the one that it was read from. */
export const sampleOrigin = "http://127.0.0.1:4680";

const tokenNames = { none: undefined, app_key: "$TOKEN", operator: "$OPERATOR_TOKEN" } as const;

/** The call as a command for a POSIX shell, with what it needs and no more. */
export function writeCurl(endpoint: Endpoint, fields: readonly Field[]): string {
  const { method, auth } = endpoint;
  const token = tokenNames[auth];
  const body = bodyOf(endpoint, fields);
  const parts = [
    `curl -s${method === "GET" ? "" : ` -X ${method}`} ${quote(`${sampleOrigin}${writeTarget(endpoint, fields)}`)}`,
    ...(token ? [`-H "Authorization: Bearer ${token}"`] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`] : []),
  ];
  return parts.join(" \\\n  ");
}

/** The same from TypeScript: by the client, or by fetch where the client has no such call. */
export function writeTypeScript(
  { group, name, endpoint }: { group: string; name: string; endpoint: Endpoint },
  fields: readonly Field[],
): string {
  if (endpoint.auth === "operator") return writeFetch(endpoint, fields);
  const input = Object.fromEntries(needed(fields).map((field) => [field.name, field.example]));
  const written = JSON.stringify(input, null, 1)
    .replaceAll(/\n\s*/g, " ")
    .replaceAll(/"(\w+)":/g, "$1:");
  return `const answer = await network.${group}.${name}(${written});`;
}

function writeFetch(endpoint: Endpoint, fields: readonly Field[]): string {
  const body = bodyOf(endpoint, fields);
  const lines = [
    `const response = await fetch("${sampleOrigin}${writeTarget(endpoint, fields)}", {`,
    `  method: "${endpoint.method}",`,
    `  headers: { authorization: \`Bearer \${operatorToken}\`${body ? ', "content-type": "application/json"' : ""} },`,
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body)}),`] : []),
    "});",
    "const answer = await response.json();",
  ];
  return lines.join("\n");
}

function writeTarget({ path }: Endpoint, fields: readonly Field[]): string {
  const inPath = valuesOf(fields, "path") ?? {};
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name])));
  const query = Object.entries(valuesOf(fields, "query") ?? {}).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return query.length > 0 ? `${filled}?${query.join("&")}` : filled;
}

function needed(fields: readonly Field[]): Field[] {
  return fields.filter(({ inSample }) => inSample);
}

/** A body without fields of its own is one whole example. */
function bodyOf({ carrier, input }: Endpoint, fields: readonly Field[]): unknown {
  if (carrier === "query") return undefined;
  if (fields.length > 0) return valuesOf(fields, "body");
  return toJsonSchema(input, "input").examples?.[0];
}

function valuesOf(fields: readonly Field[], place: Field["place"]): Record<string, unknown> | undefined {
  const here = needed(fields).filter((field) => field.place === place);
  if (here.length === 0) return undefined;
  return Object.fromEntries(here.map(({ name, example }) => [name, example]));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
