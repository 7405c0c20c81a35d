import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import type { Endpoint, Interface } from "../../contract/endpoint.ts";
import { AppError } from "../../errors.ts";
import type { CachedResponse } from "../cached/cached-response.ts";
import { toRateLimit } from "./limit-sources.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Decides the shape of this route's errors. */
    interface?: Interface;
  }
}

export const jsonType = "application/json; charset=utf-8";

export interface EndpointHandling {
  /** Largest body in bytes, where it is not the server's. */
  bodyLimit?: number;
  /** Runs before the body is read. */
  onRequest: onRequestHookHandler[];
  /** Gives the answer, from the flat input and the Authorization header. */
  answer: (readInput: () => unknown, authorization: string | undefined) => Promise<string | CachedResponse>;
}

/** Serves one endpoint under its path and aliases. */
export function addEndpoint(
  server: FastifyInstance,
  endpoint: Endpoint,
  { answer, ...options }: EndpointHandling,
): void {
  for (const path of [endpoint.path, ...endpoint.aliases]) {
    server.route({
      method: endpoint.method,
      url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
      config: {
        interface: endpoint.interface,
        ...(endpoint.sourceLimit && { rateLimit: toRateLimit(endpoint.sourceLimit) }),
      },
      ...options,
      handler: async (request, reply) => {
        const given = await answer(() => readInput(endpoint, request), request.headers.authorization);
        if (typeof given !== "string") return sendCached(given, request, reply);
        reply.header("content-type", jsonType);
        return given;
      },
    });
  }
}

/** With its tag, by which a client that has it already need not get it again. */
function sendCached(
  { bytes, tag }: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (tag !== undefined) {
    const quoted = `"${tag}"`;
    reply.header("etag", quoted).header("cache-control", "no-cache");
    const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim().replace(/^W\//, ""));
    if (known?.some((each) => each === quoted || each === "*")) return reply.code(304).send();
  }
  return reply.header("content-type", jsonType).send(bytes);
}

/** One flat object: what the query or the body carries, and the path's parameters, which win. */
function readInput(endpoint: Endpoint, request: FastifyRequest): unknown {
  const carried = endpoint.carrier === "query" ? readQuery(request.query) : readBody(request.body);
  return endpoint.path.includes("{") ? Object.assign({}, carried, request.params) : carried;
}

function readQuery(query: unknown): object {
  // Fastify's parser gives an object, in which a repeated parameter is an array.
  const parameters = query as Record<string, string | string[]>;
  for (const name in parameters) {
    if (Array.isArray(parameters[name])) {
      throw new AppError("invalid_request", `${name}: is given more than once`, { instancePath: `/${name}` });
    }
  }
  return parameters;
}

function readBody(body: unknown): object {
  if (body === undefined) return {};
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  throw new AppError("invalid_request", "body: must be a JSON object", { instancePath: "/" });
}
