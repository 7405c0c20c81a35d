import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";
import { countRequests } from "../web/count-requests.ts";

/** Rate limits. Each throws `rate_limited` if it is exceeded. */
export interface Limits {
  /** All requests by one person. */
  limitRequests(this: void, request: FastifyRequest, userId: string): Promise<void>;
  /** Lists of permissions, by one person. Each takes a call to Discord per server. */
  limitServerLookups(this: void, request: FastifyRequest, userId: string): Promise<void>;
  /** Sign-in codes from one address. Discord blocks clients, including the bot, that send too many wrong ones. */
  limitSignIns(this: void, request: FastifyRequest): Promise<void>;
  /** Invalid API tokens from one address. */
  limitWrongTokens(this: void, request: FastifyRequest): Promise<void>;
}

/** Per minute: of a person, or from one address. */
const max = { requests: 600, serverLookups: 60, signIns: 60, wrongTokens: 60 };

export function createLimits(server: FastifyInstance): Limits {
  server.register(rateLimit, { global: false });
  const createLimit = (perMinute: number) => {
    const count = countRequests(server, { max: perMinute, windowSeconds: 60 });
    return async (request: FastifyRequest, userId?: string) => {
      if ((await count(request, userId ?? request.ip)).isExceeded)
        throw new AppError("rate_limited", "Too many requests. Please wait a minute.");
    };
  };
  return {
    limitRequests: createLimit(max.requests),
    limitServerLookups: createLimit(max.serverLookups),
    limitSignIns: createLimit(max.signIns),
    limitWrongTokens: createLimit(max.wrongTokens),
  };
}
