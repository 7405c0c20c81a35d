import { z } from "zod";
import { actOperations } from "./act-operations.ts";
import type { Operation } from "./operation.ts";
import { readOperations } from "./read-operations.ts";
import { Acted, Problem, schemas, webhookPayloads } from "../../integrations/schemas.ts";

export const operations: readonly Operation[] = [...readOperations, ...actOperations];

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
  [keyword: string]: unknown;
}

const json = "application/json";
const problemJson = "application/problem+json";
const refTo = (id: string) => ({ $ref: `#/components/schemas/${id}` });

/** The API as an OpenAPI 3.1 document, made from its operations. */
export function describeApi(): object {
  const { schemas: named } = z.toJSONSchema(schemas, {
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties,
  });
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    paths[operation.path] = { ...paths[operation.path], [method]: describeOperation(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Castellan's API",
      version: "1.0.0",
      description: introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/api/v1", description: "The instance that serves this document" }],
    security: [{ token: [] }],
    tags: [
      { name: "Read", description: "What moderators see" },
      { name: "Act", description: "What moderators do: each action becomes a case" },
      {
        name: "Webhooks",
        description: "Calls that Castellan makes to your address, signed (Standard Webhooks)",
      },
    ],
    paths,
    webhooks: Object.fromEntries(Object.entries(webhookPayloads).map(describeWebhook)),
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "A token of the server (/setup tokens)" },
      },
      schemas: Object.fromEntries(
        Object.entries(named).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
      ),
    },
  };
}

const introduction =
  "Moderation of one Discord server's channels, for programs. A token belongs to a server and acts in its creator's name: " +
  "it may do what they may at that moment, and of that only what it was given. Errors are problem documents (RFC 9457). " +
  "Every answer has `RateLimit` and `RateLimit-Policy`; after 429 wait as long as `Retry-After` says.";

function describeOperation(operation: Operation): object {
  const { id, path, summary, description } = operation;
  const result = operation.method === "GET" ? operation.result : Acted;
  const isRead = operation.method === "GET";
  const { properties = {}, required = [] } = z.toJSONSchema(operation.input, { io: "input" }) as JsonSchema;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const rest = Object.entries(properties).filter(([name]) => !inPath.includes(name));
  const parameter = (place: "path" | "query", name: string) => {
    const { description: meaning, ...schema } = properties[name] ?? {};
    const isRequired = place === "path" || required.includes(name);
    return { name, in: place, required: isRequired, description: meaning, schema };
  };
  return {
    operationId: id,
    tags: [isRead ? "Read" : "Act"],
    summary,
    description,
    parameters: [
      ...inPath.map((name) => parameter("path", name)),
      ...(isRead ? rest.map(([name]) => parameter("query", name)) : [idempotencyKey]),
    ],
    ...(!isRead && {
      requestBody: {
        required: true,
        content: {
          [json]: {
            schema: {
              type: "object",
              properties: Object.fromEntries(rest),
              required: required.filter((name) => !inPath.includes(name)),
            },
          },
        },
      },
    }),
    responses: {
      200: {
        description: "Done",
        content: { [json]: { schema: refTo(nameOf(result)) } },
      },
      default: {
        description: "Refused or failed",
        content: { [problemJson]: { schema: refTo(nameOf(Problem)) } },
      },
    },
  };
}

function describeWebhook([type, payload]: [string, z.ZodType]): [string, object] {
  const call = {
    operationId: `on-${type.replace(".", "-")}`,
    tags: ["Webhooks"],
    summary: type,
    description: z.globalRegistry.get(payload)?.description,
    parameters: Object.entries(webhookHeaders).map(([name, description]) => {
      return { name, in: "header", required: true, description, schema: { type: "string" } };
    }),
    requestBody: { required: true, content: { [json]: { schema: refTo(nameOf(payload)) } } },
    responses: {
      "2XX": { description: "Received. Any other answer, or none in 5 s, is tried again for a day." },
    },
    security: [],
  };
  return [type, { post: call }];
}

const webhookHeaders = {
  "webhook-id": "The same at each attempt: a receiver that has seen it has nothing to do",
  "webhook-timestamp": "UNIX seconds of this attempt; refuse calls that are more than five minutes off",
  "webhook-signature": "v1, a comma, and in Base64 the HMAC-SHA256 of id, timestamp and body, joined by dots",
};

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A new random text for each action. A request that is sent again with it within a day is not done again and gets the same " +
    "answer, with `Idempotency-Replayed: true`.",
  schema: { type: "string", minLength: 1, maxLength: 200 },
};

function nameOf(schema: z.ZodType): string {
  const id = schemas.get(schema)?.id;
  if (id === undefined) throw new Error("a result has no name");
  return id;
}
