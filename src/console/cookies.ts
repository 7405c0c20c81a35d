import type { FastifyReply, FastifyRequest } from "fastify";

/** A cookie of the console, which no script reads and no other site's form sends along. */
interface Cookie {
  read(request: FastifyRequest): string | undefined;
  /** Seconds. */
  write(reply: FastifyReply, value: string, life: number): void;
  clear(reply: FastifyReply): void;
}

/**
 * Over https a `__Host-` cookie: no other name of the domain can set it. On this machine over http, all ports of a host share
 * their cookies: then its name has the port.
 */
export function createCookie(origin: string, purpose: "session" | "sign-in"): Cookie {
  const { protocol, port } = new URL(origin);
  const secure = protocol === "https:";
  const name = secure ? `__Host-castellan-${purpose}` : `castellan-${purpose}-${port}`;
  // Lax and not Strict: Discord sends people back, and links in Discord lead here.
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const set = (reply: FastifyReply, value: string, life: number) =>
    void reply.header("set-cookie", `${name}=${value}; ${attributes}; Max-Age=${life}`);
  return {
    read(request) {
      const pairs = request.headers.cookie?.split(/;\s*/) ?? [];
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
    },
    write: set,
    clear: (reply) => set(reply, "", 0),
  };
}
