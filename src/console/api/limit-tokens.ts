import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import type { ApiToken } from "../../moderation/api-tokens.ts";

/** Requests a minute, by one token and by all tokens of a server: each asks Discord for the owner's roles. */
const maxRequests = { token: 120, server: 300 };
const windowSeconds = 60;

const policy = Object.entries(maxRequests)
  .map(([name, quota]) => `"${name}";q=${quota};w=${windowSeconds}`)
  .join(", ");

/** Counts a request and says in its answer how many are left. Throws `rate_limited`. */
export function limitTokens(server: FastifyInstance) {
  const countToken = createCounter(server, maxRequests.token);
  const countServer = createCounter(server, maxRequests.server);
  return async (request: FastifyRequest, reply: FastifyReply, { id, guildId }: ApiToken): Promise<void> => {
    const token = await countToken(request, `token ${id}`);
    // What one token has too much of is not counted against the others of its server.
    const all = token.isExceeded ? undefined : await countServer(request, `server ${guildId}`);
    const left = [{ name: "token", ...token }, ...(all ? [{ name: "server", ...all }] : [])];
    reply.header("ratelimit-policy", policy);
    reply.header(
      "ratelimit",
      left.map(({ name, remaining, seconds }) => `"${name}";r=${remaining};t=${seconds}`).join(", "),
    );
    const exceeded = left.find(({ isExceeded }) => isExceeded);
    if (!exceeded) return;
    const { name, seconds } = exceeded;
    throw new AppError("rate_limited", `Too many requests of this ${name}. Wait ${seconds} seconds.`, {
      retryAfter: seconds,
    });
  };
}

function createCounter(server: FastifyInstance, max: number) {
  const keys = new WeakMap<FastifyRequest, string>();
  const keyGenerator = (request: FastifyRequest) => keys.get(request) ?? "";
  // The plugin is there once the server is ready.
  let count: ReturnType<FastifyInstance["createRateLimit"]> | undefined;
  return async (request: FastifyRequest, key: string) => {
    count ??= server.createRateLimit({ max, timeWindow: windowSeconds * 1000, keyGenerator });
    keys.set(request, key);
    const counted = await count(request);
    if (counted.isAllowed) return { remaining: max, seconds: windowSeconds, isExceeded: false };
    return { remaining: counted.remaining, seconds: counted.ttlInSeconds, isExceeded: counted.isExceeded };
  };
}
