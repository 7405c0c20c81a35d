import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../../listening.ts";

/** The parts of a request that show its origin. */
interface Caller {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

export interface OriginRules {
  /** Whether other machines are allowed. Then any host name is, because page and bot each need a secret. */
  openToOthers: boolean;
  /** Host names other than loopback under which this machine can call the server. */
  hosts: readonly string[];
  /** The path to which other origins send people. It only shows a page, and does nothing until they click. */
  entrance?: string;
}

/**
 * Returns why a request must be refused, or null. Other machines are recognized by their connection's address, because
 * any client can forge the Host header. Any web page can reach loopback: a page of another origin is recognized by its
 * Origin, and one that bound its own name to 127.0.0.1 (DNS rebinding) by its Host.
 */
export function refusalOf(caller: Caller, { openToOthers, hosts, entrance }: OriginRules): string | null {
  const { headers, socket } = caller;
  const host = headers.host ?? "";
  if (!openToOthers) {
    if (!isLoopback(socket.remoteAddress ?? "")) return "The sandbox serves only its own machine.";
    const name = host.replace(/:\d+$/, "").toLowerCase();
    if (!isLoopback(name) && !hosts.includes(name)) return "This address does not serve that host name.";
  }
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return "Requests from other pages are refused.";
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return null;
  const isSentHere = caller.method === "GET" && headers["sec-fetch-mode"] === "navigate";
  if (isSentHere && entrance !== undefined && caller.url?.startsWith(`${entrance}?`)) return null;
  return "Requests from other pages are refused.";
}
