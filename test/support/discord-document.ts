import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Exchange } from "./discord-faults.ts";

/** Discord's own OpenAPI document, where it lies beside the project. */
const file = fileURLToPath(new URL("../../../shared/data/discord-openapi.json", import.meta.url));

type Json = Record<string, unknown>;

interface Operation {
  requestBody?: { content?: Record<string, { schema?: Json }> };
  responses: Record<string, { content?: Record<string, { schema?: Json }> }>;
}

interface DiscordDocument {
  paths: Record<string, Record<string, Operation>>;
  components: Json;
}

/** What the document finds wrong in requests of the bot and in answers of the stand-in. */
export interface DocumentCheck {
  request: (exchange: Exchange) => string[];
  /** Also refuses properties that the document does not know. */
  closedRequest: (exchange: Exchange) => string[];
  answer: (exchange: Exchange) => string[];
}

/** Undefined where the document is not at hand. */
export function openDiscordDocument(): DocumentCheck | undefined {
  if (!existsSync(file)) return undefined;
  const document = JSON.parse(readFileSync(file, "utf8")) as DiscordDocument; // the document's known shape
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const format of ["snowflake", "nonce"]) ajv.addFormat(format, true);
  ajv.addSchema({ $id: "discord", components: loosen(document.components) });
  ajv.addSchema({ $id: "strict", components: close(loosen(document.components)) });
  const validators = new Map<string, ValidateFunction>();
  const operations = Object.entries(document.paths)
    .toSorted(([a], [b]) => a.split("{").length - b.split("{").length)
    .map(([path, methods]) => ({ path, methods, pattern: patternOf(path) }));

  function check(name: string, schema: Json | undefined, value: unknown, isClosed = false): string[] {
    if (!schema) return [];
    const compile = () =>
      isClosed ? pointInside(close(loosen(schema)), "strict") : pointInside(loosen(schema), "discord");
    const validate = validators.get(name) ?? ajv.compile(compile() as Json); // still a schema
    validators.set(name, validate);
    if (validate(JSON.parse(JSON.stringify(value ?? null)))) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
  }

  function find({ method, path }: Exchange) {
    const found = operations.find(
      ({ pattern, methods }) => pattern.test(path) && methods[method.toLowerCase()],
    );
    return { path: found?.path ?? "", operation: found?.methods[method.toLowerCase()] };
  }

  return {
    request(exchange) {
      const { path, operation } = find(exchange);
      if (!operation) return [`${exchange.method} ${exchange.path} is not in the document`];
      const schema = operation.requestBody?.content?.["application/json"]?.schema;
      return exchange.body === undefined
        ? []
        : check(`${exchange.method}:${path}:request`, schema, exchange.body);
    },
    closedRequest(exchange) {
      const { path, operation } = find(exchange);
      const schema = operation?.requestBody?.content?.["application/json"]?.schema;
      if (!operation || exchange.body === undefined) return [];
      return check(`${exchange.method}:${path}:closed`, schema, withoutOwn(exchange.body), true);
    },
    answer(exchange) {
      const { path, operation } = find(exchange);
      const { status, body } = exchange.answer;
      const schema = operation?.responses[status]?.content?.["application/json"]?.schema;
      return check(`${exchange.method}:${path}:${status}`, schema, body);
    },
  };
}

/** Without what discord.js adds to each message, whatever it is asked for: both false, and unknown to Discord's webhooks. */
function withoutOwn(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const { tts: _tts, enforce_nonce: _enforce, ...own } = body as Json; // an object of JSON
  return "data" in own ? { ...own, data: withoutOwn(own["data"]) } : own;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/[.@]/g, "\\$&").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
}

/** Unions in the document overlap, so that "exactly one" never holds. */
function loosen(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(loosen);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [
    key === "oneOf" ? "anyOf" : key,
    loosen(value),
  ]);
  return Object.fromEntries(entries);
}

/** Objects have no other properties than those that are named; what is put together of several says it by its parts. */
function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, close(value)]);
  const closed: Json = Object.fromEntries(entries);
  return "properties" in node && !("additionalProperties" in node) && !("allOf" in node)
    ? { ...closed, additionalProperties: false }
    : closed;
}

function pointInside(schema: unknown, id: string): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', `"${id}#/components`));
}
