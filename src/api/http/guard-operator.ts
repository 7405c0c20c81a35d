import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { AppError } from "../../errors.ts";
import { isSameSecret } from "../../web/is-same-secret.ts";

export interface OperatorGuard {
  token: string;
  /** Host names, besides localhost and plain IP addresses, by which operators reach this server. */
  hosts: readonly string[];
}

/**
 * Admits only the operator's own tools. Any web page can reach loopback: one that rebinds its name to our address still
 * sends that name as Host, and one that posts across origins is marked by Origin. Our own pages do not call these routes.
 */
export function guardOperator(guard: OperatorGuard): (request: Pick<IncomingMessage, "headers">) => void {
  const hosts = new Set(["localhost", ...guard.hosts.map((host) => host.toLowerCase())]);
  return ({ headers }) => {
    const host = readHost(headers.host);
    if (isIP(host) === 0 && !hosts.has(host)) {
      throw new AppError("not_permitted", "Operator routes are not served under this host name.");
    }
    if (headers.origin !== undefined) {
      throw new AppError("not_permitted", "Operator routes are not served to web pages.");
    }
    const token = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
    if (!isSameSecret(token, guard.token)) {
      throw new AppError("invalid_auth_token", "This call needs the operator's token.");
    }
  };
}

/** From the connection's own header, because a page could forge forwarded ones. */
function readHost(header = ""): string {
  const address = `http://${header}`;
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[(.*)\]$/, "$1") : "";
}
