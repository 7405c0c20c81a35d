import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";
import { authorizePath } from "./discord/oauth/grants.ts";
import { isSameSecret } from "../web/is-same-secret.ts";

/** Controls access to the page, whose users can act as any person. */
export interface PageAccess {
  /** Contains only characters that are valid in cookies and addresses. */
  secret: string;
  /** Whether the page's address must contain the secret (`/?key=…`), because other machines can reach the page. */
  inAddress: boolean;
}

/**
 * The page's address gives the browser the secret as a cookie, which all requests of the page require. So nobody can
 * act without opening the page. Throws `not_allowed`.
 */
export function requireAccess(
  { secret, inAddress }: PageAccess,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // All ports of a host share cookies, and a host can run several sandboxes.
  const cookie = `castellan-sandbox-${request.socket.localPort}`;
  const given = request.headers.cookie?.split(/;\s*/).find((each) => each.startsWith(`${cookie}=`));
  if (given !== undefined && isSameSecret(given.slice(cookie.length + 1), secret)) return;
  if (request.method !== "GET" || !["/", authorizePath].includes(request.routeOptions.url ?? "")) {
    throw new AppError("not_allowed", "The sandbox does not recognize this page. Reload it.");
  }
  if (inAddress && !isSameSecret(new URL(request.url, "http://page").searchParams.get("key") ?? "", secret)) {
    throw new AppError(
      "not_allowed",
      "Open the whole address that Castellan printed at its start. It ends in ?key=…",
    );
  }
  reply.header("set-cookie", `${cookie}=${secret}; Path=/; HttpOnly; SameSite=Strict`);
}
