import { BlockList, isIP } from "node:net";
import { isLoopback } from "../../listening.ts";

/**
 * Addresses outside the public internet (IANA's special-purpose registries): outside lists must not cause requests there.
 */
const own = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  own.addSubnet(net, prefix, "ipv4");
}
/** Any other address is special, or embeds an arbitrary IPv4 address. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");
for (const [net, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  own.addSubnet(net, prefix, "ipv6");
}
/** Names that resolve only in an operator's own network. */
const ownNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;

/**
 * Whether a feed's redirect may be followed: from https only to https, and to addresses in the operator's own network only
 * from this machine. Names are not resolved.
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
  if (family === 0) return !host.includes(".") || ownNames.test(host);
  if (family === 4) return own.check(host, "ipv4");
  return own.check(host, "ipv6") || !globalUnicast.check(host, "ipv6");
}
