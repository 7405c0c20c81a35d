import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * A cookie of the console that scripts cannot read and other sites' forms do not send.
 *
 * Over https a `__Host-` cookie, which no other subdomain can set. On this machine over http, all ports of a host
 * share their cookies, so the name contains the port.
 */
export function createCookie(origin: string, purpose: "session" | "sign-in") {
  const { protocol, port } = new URL(origin);
  const secure = protocol === "https:";
  const name = secure ? `__Host-castellan-${purpose}` : `castellan-${purpose}-${port}`;
  // Lax, not Strict, because Discord redirects people back, and links in Discord lead here.
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  /** `life` is in seconds. */
  const write = (reply: FastifyReply, value: string, life: number) =>
    void reply.header("set-cookie", `${name}=${value}; ${attributes}; Max-Age=${life}`);
  return {
    read(request: FastifyRequest): string | undefined {
      const pairs = request.headers.cookie?.split(/;\s*/) ?? [];
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
    },
    write,
    clear: (reply: FastifyReply) => write(reply, "", 0),
  };
}
