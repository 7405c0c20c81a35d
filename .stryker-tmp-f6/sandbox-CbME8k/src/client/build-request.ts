// @ts-nocheck
import type { Endpoint, Method } from "../contract/endpoint.ts";

export interface HttpRequest {
  method: Method;
  url: string;
  /** JSON text. */
  body?: string;
}

/** What asks an endpoint: only fields that it declares travel, in the path, then in the query or the body. */
export function buildRequest(endpoint: Endpoint, address: string, input: unknown): HttpRequest {
  const fields = selectFields(endpoint, input);
  const path = (endpoint.clientPath ?? endpoint.path).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    // By way of bytes, for half a surrogate pair cannot be encoded.
    return encodeURIComponent(Buffer.from(asText(value)).toString());
  });
  const url = address + path;
  if (endpoint.carrier === "body") {
    const body = JSON.stringify(Object.fromEntries(fields));
    return { method: endpoint.method, url, ...(fields.size > 0 && { body }) };
  }
  const query = new URLSearchParams();
  for (const [name, value] of fields) query.set(name, asText(value));
  return { method: endpoint.method, url: fields.size > 0 ? `${url}?${query.toString()}` : url };
}

function selectFields(endpoint: Endpoint, input: unknown): Map<string, unknown> {
  const { shape, def } = endpoint.input;
  const isDeclared = (name: string) =>
    name in shape || (endpoint.paginated && (name === "limit" || name === "cursor")) || def.catchall;
  return new Map(
    Object.entries(input ?? {}).filter(([name, value]) => value !== undefined && isDeclared(name)),
  );
}

function asText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
