import { BlockList, isIP } from "node:net";
import { isLoopback } from "../../listening.ts";

/** Networks of an operator's own, which a list from outside has no business to have asked. */
const own = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  own.addSubnet(net, prefix, "ipv4");
}
for (const [net, prefix] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const) {
  own.addSubnet(net, prefix, "ipv6");
}

/**
 * Whether a feed's redirect may be followed: from https to https alone, and into the operator's own network by its address
 * from this machine alone. What a name stands for is not looked up.
 */
export function mayFollow(next: URL, from: URL): boolean {
  if (isOwn(next.hostname)) {
    const isSafe = next.protocol === "https:" || (next.protocol === "http:" && from.protocol === "http:");
    return isSafe && isLoopback(from.hostname) && isLoopback(next.hostname);
  }
  return next.protocol === "https:";
}

function isOwn(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const family = isIP(host);
  if (family === 0) return host === "localhost" || host.endsWith(".localhost");
  return own.check(host, family === 6 ? "ipv6" : "ipv4");
}
