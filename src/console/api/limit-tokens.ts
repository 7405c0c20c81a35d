import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import type { ApiToken } from "../../moderation/api-tokens.ts";
import { countRequests } from "../../web/count-requests.ts";

/** Requests per minute of one token and of all tokens of a server. Each reads its creator's roles from Discord. */
const maxRequests = { token: 120, server: 300 };
const windowSeconds = 60;

const policy = Object.entries(maxRequests)
  .map(([name, quota]) => `"${name}";q=${quota};w=${windowSeconds}`)
  .join(", ");

/** Counts a request and adds the remaining number to the answer's headers. Throws `rate_limited`. */
export function limitTokens(server: FastifyInstance) {
  const countToken = countRequests(server, { max: maxRequests.token, windowSeconds });
  const countServer = countRequests(server, { max: maxRequests.server, windowSeconds });
  return async (request: FastifyRequest, reply: FastifyReply, { id, guildId }: ApiToken): Promise<void> => {
    const token = await countToken(request, `token ${id}`);
    // Excess requests of one token are not counted against its server's other tokens.
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
