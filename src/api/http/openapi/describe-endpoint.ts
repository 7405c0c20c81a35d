import type { Endpoint } from "../../../contract/endpoint.ts";
import { AppError, httpErrors } from "../../../errors.ts";
import { describeError } from "../errors.ts";
import { refusalsOf } from "./describe-errors.ts";
import { type JsonSchema, toJsonSchema } from "./json-schema.ts";
import { makeExample } from "./make-example.ts";

const json = "application/json";
const pageParameters: Record<string, JsonSchema> = {
  limit: { type: "integer", minimum: 1, description: "Page size" },
  cursor: { type: "string", maxLength: 1024, description: "`next.cursor` of the previous page" },
};

const knownTag = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The ETag of the client's cached response",
  schema: { type: "string" },
};
const tagHeader = { ETag: { description: "Changes whenever the response does", schema: { type: "string" } } };

/** An endpoint as an OpenAPI operation. */
export function describeEndpoint(group: string, name: string, endpoint: Endpoint, path: string): object {
  const { summary, auth, carrier, method } = endpoint;
  const input = toJsonSchema(endpoint.input, "input");
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, parameter]) => parameter ?? []);
  const isAlias = path !== endpoint.path;
  return {
    operationId: `${group}.${name}${isAlias ? `.${endpoint.aliases.indexOf(path) + 1}` : ""}`,
    tags: [group],
    summary: isAlias ? `${summary} (alias of ${endpoint.path})` : summary,
    security: auth === "none" ? [] : [{ [auth]: [] }],
    parameters: describeParameters(endpoint, input, inPath),
    ...(carrier === "body" &&
      method !== "GET" &&
      hasBody(input, inPath) && { requestBody: describeBody(input, inPath) }),
    responses: {
      200: describeAnswer(endpoint),
      ...(endpoint.tagged && { 304: { description: "Unchanged since the response with this ETag" } }),
      ...describeRefusals(endpoint),
    },
  };
}

function describeParameters(endpoint: Endpoint, input: JsonSchema, inPath: readonly string[]): object[] {
  const required = new Set(input.required);
  const fields = Object.entries(input.properties ?? {});
  const paging = endpoint.paginated ? Object.entries(pageSchemas(endpoint.paginated)) : [];
  const inQuery = endpoint.carrier === "query" ? fields.filter(([name]) => !inPath.includes(name)) : [];
  const describe = (place: "path" | "query", [name, schema]: [string, JsonSchema]) => ({
    name,
    in: place,
    required: place === "path" || required.has(name),
    // Query parameters are all text; the first variant is the intended one.
    schema: schema.anyOf?.[0] ?? schema,
    ...((place === "path" || required.has(name)) && { example: makeExample(schema, name) }),
  });
  return [
    ...fields.filter(([name]) => inPath.includes(name)).map((field) => describe("path", field)),
    ...[...inQuery, ...paging].map((field) => describe("query", field)),
    ...(endpoint.tagged ? [knownTag] : []),
  ];
}

function pageSchemas({
  default: usual,
  max,
}: NonNullable<Endpoint["paginated"]>): Record<string, JsonSchema> {
  return { ...pageParameters, limit: { ...pageParameters["limit"], default: usual, maximum: max } };
}

function hasBody({ properties = {} }: JsonSchema, inPath: readonly string[]): boolean {
  return Object.keys(properties).some((name) => !inPath.includes(name)) || inPath.length === 0;
}

function describeBody(input: JsonSchema, inPath: readonly string[]): object {
  const properties = Object.fromEntries(
    Object.entries(input.properties ?? {}).filter(([name]) => !inPath.includes(name)),
  );
  const schema = { ...input, properties };
  return { required: true, content: { [json]: { schema, example: makeExample(schema) } } };
}

/** An endpoint's response over HTTP, with its frame. */
function answerSchema(endpoint: Endpoint): JsonSchema {
  const result = toJsonSchema(endpoint.result, "output");
  const isFlat = endpoint.interface === "registry" || endpoint.interface === "hub";
  const next = {
    type: "object",
    description: "Absent on the last page",
    properties: { cursor: pageParameters["cursor"] ?? {} },
  };
  if (isFlat) return result;
  return {
    type: "object",
    required: ["result"],
    properties: { result, ...(endpoint.paginated && { next }) },
  };
}

function describeAnswer(endpoint: Endpoint): object {
  const schema = answerSchema(endpoint);
  return {
    description: "Done",
    ...(endpoint.tagged && { headers: tagHeader }),
    content: { [json]: { schema, example: makeExample(schema) } },
  };
}

/** One response per status, with an example for each reason. */
function describeRefusals(endpoint: Endpoint): object {
  const { interface: of } = endpoint;
  const refusals = refusalsOf(endpoint).map((reason) => {
    const { status, summary } = httpErrors[reason];
    return { reason, status, summary, example: describeError(of, new AppError(reason, summary)) };
  });
  const schema = { $ref: `#/components/schemas/${of}Error` };
  return Object.fromEntries(
    refusals.map(({ status }) => {
      const here = refusals.filter((one) => one.status === status);
      const examples = here.map(({ reason, summary, example }) => [reason, { summary, value: example }]);
      return [
        status,
        {
          description: here.map(({ reason }) => `\`${reason}\``).join(", "),
          content: { [json]: { schema, examples: Object.fromEntries(examples) as object } },
        },
      ];
    }),
  );
}
