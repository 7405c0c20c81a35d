import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import type { SourceLimit } from "../../contract/endpoint.ts";
import { AppError } from "../../errors.ts";

/**
 * Limits how many calls one source address can make: in total by `limit`, whatever the path, even unknown ones; and per
 * route if a route has its own limit.
 */
export async function limitSources(server: FastifyInstance, limit: SourceLimit | undefined): Promise<void> {
  await server.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
  if (!limit) return;
  // A route's own limit would replace the plugin's global one, which unknown routes would escape.
  const count = server.createRateLimit(toRateLimit(limit));
  server.addHook("onRequest", async (request) => {
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttl);
  });
}

function tooMany(ttl: number): AppError {
  return new AppError("rate_limited", "Too many calls from this address.", {
    retryAfter: Math.ceil(ttl / 1000),
  });
}

/** As the plugin's options, and for a route's `config.rateLimit`. */
export function toRateLimit({ calls, seconds }: SourceLimit): { max: number; timeWindow: number } {
  return { max: calls, timeWindow: seconds * 1000 };
}
