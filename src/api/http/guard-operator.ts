import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { AppError } from "../../errors.ts";

export interface OperatorGuard {
  token: string;
  /** Names, besides localhost and plain IP addresses, by which operators reach this server. */
  hosts: readonly string[];
}

/**
 * Lets only the operator's own tools through. Any web page can reach loopback: one that rebinds its name to us still
 * sends that name as Host, and one that posts across origins says so in Origin; no page of ours calls these routes.
 */
export function guardOperator(guard: OperatorGuard): (request: Pick<IncomingMessage, "headers">) => void {
  const expected = digest(guard.token);
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
    if (!timingSafeEqual(digest(token), expected)) {
      throw new AppError("invalid_auth_token", "This call needs the operator's token.");
    }
  };
}

/** From the header itself: what a proxy forwards, a page could send as well. */
function readHost(header = ""): string {
  const address = `http://${header}`;
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[(.*)\]$/, "$1") : "";
}

/** Equal lengths for a comparison in constant time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
