import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";

export interface PageRequest<Body> {
  query: URLSearchParams;
  body: Body;
}

/** An address below the page: JSON in, JSON out. */
export interface PageRoute {
  method: "GET" | "POST";
  path: string;
  /** Largest body in bytes. */
  bodyLimit: number;
  answer: (request: PageRequest<unknown>) => unknown;
}

/** An address whose answer goes on: server-sent events. */
export interface PageStream {
  path: string;
  open: (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => void;
}

export function pageGet(path: string, answer: (query: URLSearchParams) => unknown): PageRoute {
  return { method: "GET", path, bodyLimit: 0, answer: ({ query }) => answer(query) };
}

/** A body that the schema does not take is answered 400 before `answer` is asked. */
export function pagePost<T>(
  path: string,
  schema: z.ZodType<T>,
  answer: (body: T) => unknown,
  bodyLimit = 64 * 1024,
): PageRoute {
  return { method: "POST", path, bodyLimit, answer: ({ body }) => answer(schema.parse(body)) };
}
