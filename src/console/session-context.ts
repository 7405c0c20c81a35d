import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { CommandContext } from "../discord/command-context.ts";
import { AppError } from "../errors.ts";
import type { ConsoleParts } from "./console-parts.ts";
import type { Limits } from "./limits.ts";
import type { Session } from "./sessions.ts";
import { createSessionReader } from "./sign-in.ts";

/** Whoever asks, looked at anew at each request: the session in the database, the roles in Discord. */
export interface Visits {
  /** Who is signed in; undefined for nobody. */
  readSession(request: FastifyRequest): Promise<Session | undefined>;
  /** Throws `invalid_auth_token` for who is not signed in. */
  requireSession(request: FastifyRequest): Promise<Session>;
  /** What a command would work with, of this person in the server of the path. Throws `not_found` for who is not in it. */
  enter(request: FastifyRequest): Promise<CommandContext>;
  /** Throws `not_allowed` for a request that another page may have made, `rate_limited` for who asks too often. */
  requireOwnPage(request: FastifyRequest): Promise<void>;
}

/** Goes with each request that changes something. */
const csrfHeader = "x-csrf-token";

export function createVisits(parts: ConsoleParts, { limitRequests }: Limits): Visits {
  const { members, origin } = parts;
  const readSession = createSessionReader(parts);
  const requireSession = async (request: FastifyRequest) => {
    const session = await readSession(request);
    if (session) return session;
    throw new AppError("invalid_auth_token", "You are not signed in, or were for too long.");
  };
  return {
    readSession,
    requireSession,
    async enter(request) {
      const { userId } = await requireSession(request);
      // The path of each route that asks has it.
      const { server = "" } = request.params as { server?: string };
      const context = /^\d{5,20}$/.test(server) ? await members.enter(server, userId) : undefined;
      if (context) return context;
      throw new AppError("not_found", "You are not in that server, or Castellan is not.");
    },
    async requireOwnPage(request) {
      const { headers, method } = request;
      const site = headers["sec-fetch-site"];
      const isForeign =
        (headers.origin !== undefined && headers.origin !== origin) ||
        (site !== undefined && site !== "same-origin" && !(method === "GET" && site === "none"));
      if (isForeign) throw new AppError("not_allowed", "Requests of other pages are refused.");
      const session = method === "GET" ? await readSession(request) : await requireSession(request);
      if (session) await limitRequests(request, session.userId);
      if (method === "GET" || isSame(String(headers[csrfHeader] ?? ""), session?.csrf ?? "")) return;
      throw new AppError("not_allowed", "This page is from before you signed in. Reload it.");
    },
  };
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
