import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";
import { countRequests } from "../web/count-requests.ts";

export type Limits = ReturnType<typeof createLimits>;

/** Rate limits of a person, or else of an address. Each throws `rate_limited` if it is exceeded. */
export function createLimits(server: FastifyInstance) {
  server.register(rateLimit, { global: false });
  const createLimit = (perMinute: number) => {
    const count = countRequests(server, { max: perMinute, windowSeconds: 60 });
    return async (request: FastifyRequest, userId?: string) => {
      if ((await count(request, userId ?? request.ip)).isExceeded)
        throw new AppError("rate_limited", "Too many requests. Please wait a minute.");
    };
  };
  return {
    /** All requests by one person. */
    limitRequests: createLimit(600),
    /** Lists of permissions, by one person. Each takes a call to Discord per server. */
    limitServerLookups: createLimit(60),
    /** Sign-in codes from one address. Discord blocks clients, including the bot, that send too many wrong ones. */
    limitSignIns: createLimit(60),
    /** Invalid API tokens from one address. */
    limitWrongTokens: createLimit(60),
  };
}
