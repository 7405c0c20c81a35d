import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../../listening.ts";

/** What a request shows of where it comes from. */
interface Caller {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

export interface OriginRules {
  /** Whether other machines may ask; then under any host name, for page and bot each need a secret. */
  openToOthers: boolean;
  /** Names besides loopback under which the server may be called from this machine. */
  hosts: readonly string[];
}

/**
 * Why a request must be refused, or null. Who is on another machine is known by the address the connection comes from:
 * any client can write what it likes as Host. Any web page can reach loopback: a page of another origin is known by its
 * Origin, and one that bound its own name to 127.0.0.1 (DNS rebinding) by its Host.
 */
export function refusalOf({ headers, socket }: Caller, { openToOthers, hosts }: OriginRules): string | null {
  const host = headers.host ?? "";
  if (!openToOthers) {
    if (!isLoopback(socket.remoteAddress ?? "")) return "The sandbox answers on its own machine alone.";
    const name = host.replace(/:\d+$/, "").toLowerCase();
    if (!isLoopback(name) && !hosts.includes(name)) return "This address does not answer for that host name.";
  }
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return "Requests from other pages are refused.";
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return "Requests from other pages are refused.";
  return null;
}
