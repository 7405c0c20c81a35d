// @ts-nocheck
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import type { SourceLimit } from "../../contract/endpoint.ts";
import { AppError } from "../../errors.ts";

/** Limits how many calls one source address may make: all together where `limit` says so, and where a route does. */
export async function limitSources(server: FastifyInstance, limit: SourceLimit | undefined): Promise<void> {
  await server.register(rateLimit, {
    global: limit !== undefined,
    ...(limit && toRateLimit(limit)),
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError("rate_limited", "Too many calls from this address.", {
        retryAfter: Math.ceil(ttl / 1000),
      }),
  });
}

/** As the plugin's options, and as a route's `config.rateLimit`. */
export function toRateLimit({ calls, seconds }: SourceLimit): { max: number; timeWindow: number } {
  return { max: calls, timeWindow: seconds * 1000 };
}
