import type { FastifyInstance, FastifyRequest } from "fastify";

interface Counted {
  remaining: number;
  /** Until the window ends. */
  seconds: number;
  isExceeded: boolean;
}

/** Counts requests by key, at most `max` in each window of so many seconds. Needs @fastify/rate-limit on the server. */
export function countRequests(
  server: FastifyInstance,
  { max, windowSeconds }: { max: number; windowSeconds: number },
): (request: FastifyRequest, key: string) => Promise<Counted> {
  const keys = new WeakMap<FastifyRequest, string>();
  const keyGenerator = (request: FastifyRequest) => keys.get(request) ?? request.ip;
  // The plugin is only available once the server is ready.
  let count: ReturnType<FastifyInstance["createRateLimit"]> | undefined;
  return async (request, key) => {
    count ??= server.createRateLimit({ max, timeWindow: windowSeconds * 1000, keyGenerator });
    keys.set(request, key);
    const counted = await count(request);
    if (counted.isAllowed) return { remaining: max, seconds: windowSeconds, isExceeded: false };
    return { remaining: counted.remaining, seconds: counted.ttlInSeconds, isExceeded: counted.isExceeded };
  };
}
