// @ts-nocheck
import type { IncomingMessage } from "node:http";

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Why a request must be refused, or null. Any web page can reach loopback: a page of another origin is known by its
 * Origin, and one that bound its own name to 127.0.0.1 (DNS rebinding) by its Host.
 */
export function refusalOf(request: IncomingMessage, allowedHosts: readonly string[] = []): string | null {
  const host = request.headers.host ?? "";
  const name = host.replace(/:\d+$/, "").toLowerCase();
  if (![...loopback, ...allowedHosts].includes(name))
    return "This address does not answer for that host name.";
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`) return "Requests from other pages are refused.";
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return "Requests from other pages are refused.";
  return null;
}
