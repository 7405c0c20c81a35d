import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../errors.ts";

/** Limits how many calls one source address may make in so many seconds. */
export async function limitSources(
  server: FastifyInstance,
  limit: { calls: number; seconds: number },
): Promise<void> {
  await server.register(rateLimit, {
    max: limit.calls,
    timeWindow: limit.seconds * 1000,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError("rate_limited", "Too many calls from this address.", {
        retryAfter: Math.ceil(ttl / 1000),
      }),
  });
}
