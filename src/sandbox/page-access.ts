import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";
import { authorizePath } from "./discord/oauth/grants.ts";

/** Who may use the page: whoever acts there acts as anybody. */
export interface PageAccess {
  /** Made of characters that fit a cookie and an address. */
  secret: string;
  /** Whether the page's address must carry the secret (`/?key=…`), because other machines reach it too. */
  inAddress: boolean;
}

/**
 * The page's address gives its browser the secret as a cookie, and everything that the page asks needs it. So nobody
 * acts who has not opened the page itself. Throws `not_allowed`.
 */
export function requireAccess(
  { secret, inAddress }: PageAccess,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // Cookies are shared by all ports of a host, and a host may have several sandboxes.
  const cookie = `castellan-sandbox-${request.socket.localPort}`;
  const given = request.headers.cookie?.split(/;\s*/).find((each) => each.startsWith(`${cookie}=`));
  if (given !== undefined && isSame(given.slice(cookie.length + 1), secret)) return;
  if (request.method !== "GET" || !["/", authorizePath].includes(request.routeOptions.url ?? "")) {
    throw new AppError("not_allowed", "The sandbox does not know this page. Reload it.");
  }
  if (inAddress && !isSame(new URL(request.url, "http://page").searchParams.get("key") ?? "", secret)) {
    throw new AppError(
      "not_allowed",
      "Open the whole address that Castellan printed when it started: it ends in ?key=…",
    );
  }
  reply.header("set-cookie", `${cookie}=${secret}; Path=/; HttpOnly; SameSite=Strict`);
}

function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

/** Equal lengths for a comparison in constant time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
