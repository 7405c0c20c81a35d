import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../../listening.ts";

/** What a request shows of where it comes from. */
interface Caller {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

export interface OriginRules {
  /** Whether other machines may ask; then under any host name, for page and bot each need a secret. */
  openToOthers: boolean;
  /** Names besides loopback under which the server may be called from this machine. */
  hosts: readonly string[];
  /** The path to which pages of other origins send people; it shows, and does nothing before they click there. */
  entrance?: string;
}

/**
 * Why a request must be refused, or null. Who is on another machine is known by the address the connection comes from:
 * any client can write what it likes as Host. Any web page can reach loopback: a page of another origin is known by its
 * Origin, and one that bound its own name to 127.0.0.1 (DNS rebinding) by its Host.
 */
export function refusalOf(caller: Caller, { openToOthers, hosts, entrance }: OriginRules): string | null {
  const { headers, socket } = caller;
  const host = headers.host ?? "";
  if (!openToOthers) {
    if (!isLoopback(socket.remoteAddress ?? "")) return "The sandbox answers on its own machine alone.";
    const name = host.replace(/:\d+$/, "").toLowerCase();
    if (!isLoopback(name) && !hosts.includes(name)) return "This address does not answer for that host name.";
  }
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return "Requests from other pages are refused.";
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return null;
  const isSentHere = caller.method === "GET" && headers["sec-fetch-mode"] === "navigate";
  if (isSentHere && entrance !== undefined && caller.url?.startsWith(`${entrance}?`)) return null;
  return "Requests from other pages are refused.";
}
