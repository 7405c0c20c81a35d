import type { FastifyRequest } from "fastify";
import type { CommandContext } from "../discord/command-context.ts";
import { AppError } from "../errors.ts";
import type { ConsoleParts } from "./console-parts.ts";
import type { Limits } from "./limits.ts";
import type { Session } from "./sessions.ts";
import { createSessionReader } from "./sign-in.ts";
import { isSameSecret } from "../web/is-same-secret.ts";

/** Sent with each request that changes something. */
const csrfHeader = "x-csrf-token";

export type Visits = ReturnType<typeof createVisits>;

/** The person behind a request, checked again at each request: the session in the database, the roles in Discord. */
export function createVisits(parts: ConsoleParts, { limitRequests }: Limits) {
  const { members, origin } = parts;
  const readSession = createSessionReader(parts);
  const requireSession = async (request: FastifyRequest): Promise<Session> => {
    const session = await readSession(request);
    if (session) return session;
    throw new AppError("invalid_auth_token", "Your session has expired. Sign in again.");
  };
  return {
    /** The signed-in person; undefined if nobody is. */
    readSession,
    /** Throws `invalid_auth_token` if nobody is signed in. */
    requireSession,
    /** The command context of this person in the path's server. Throws `not_found` for non-members. */
    async enter(request: FastifyRequest): Promise<CommandContext> {
      const { userId } = await requireSession(request);
      // Every route that calls this has it in its path.
      const { server = "" } = request.params as { server?: string };
      const context = /^\d{5,20}$/.test(server) ? await members.enter(server, userId) : undefined;
      if (context) return context;
      throw new AppError("not_found", "You or Castellan are not in that server.");
    },
    /** Throws `not_allowed` for a request that another page may have made, `rate_limited` for too many requests. */
    async requireOwnPage(request: FastifyRequest): Promise<void> {
      const { headers, method } = request;
      const site = headers["sec-fetch-site"];
      const isForeign =
        (headers.origin !== undefined && headers.origin !== origin) ||
        (site !== undefined && site !== "same-origin" && !(method === "GET" && site === "none"));
      if (isForeign) throw new AppError("not_allowed", "Requests from other pages are refused.");
      const session = method === "GET" ? await readSession(request) : await requireSession(request);
      if (session) await limitRequests(request, session.userId);
      if (method === "GET" || isSameSecret(String(headers[csrfHeader] ?? ""), session?.csrf ?? "")) return;
      throw new AppError("not_allowed", "This page was opened before you signed in. Reload it.");
    },
  };
}
