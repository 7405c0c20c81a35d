import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";

/** How often something may be asked; each throws `rate_limited` for what is too often. */
export interface Limits {
  /** Anything, by one person. */
  limitRequests(this: void, request: FastifyRequest, userId: string): Promise<void>;
  /** Where one may do what, by one person: Discord is asked about each server. */
  limitServerLookups(this: void, request: FastifyRequest, userId: string): Promise<void>;
  /** Codes from one address, which Discord is asked about: it shuts out whoever brings it too many wrong ones, bot and all. */
  limitSignIns(this: void, request: FastifyRequest): Promise<void>;
  /** API tokens from one address that are none. */
  limitWrongTokens(this: void, request: FastifyRequest): Promise<void>;
}

/** Times a minute. */
const most = { asked: 600, looked: 60, back: 60 };

/** From one address, in a minute. */
const maxWrongTokens = 60;

export function createLimits(server: FastifyInstance): Limits {
  server.register(rateLimit, { global: false });
  const limit = (max: number) => {
    const people = new WeakMap<FastifyRequest, string>();
    const keyGenerator = (request: FastifyRequest) => people.get(request) ?? request.ip;
    // The plugin is there once the server is ready, and so is who asks.
    let count: ReturnType<FastifyInstance["createRateLimit"]> | undefined;
    return async (request: FastifyRequest, userId?: string) => {
      count ??= server.createRateLimit({ max, timeWindow: 60_000, keyGenerator });
      if (userId !== undefined) people.set(request, userId);
      const counted = await count(request);
      if (!counted.isAllowed && counted.isExceeded)
        throw new AppError("rate_limited", "That was too often. Please wait a minute.");
    };
  };
  return {
    limitRequests: limit(most.asked),
    limitServerLookups: limit(most.looked),
    limitSignIns: limit(most.back),
    limitWrongTokens: limit(maxWrongTokens),
  };
}
