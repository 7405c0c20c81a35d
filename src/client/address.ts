import { networkInterfaces } from "node:os";
import { AppError } from "../errors.ts";
import { isLoopback } from "../listening.ts";

/** A base address without trailing slash. Throws `invalid_configuration`. */
export function readAddress(address: string): string {
  if (!URL.canParse(address) || !/^https?:/.test(address)) {
    throw new AppError("invalid_configuration", `"${address}" is not an http or https address.`);
  }
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, "");
}

/** Tokens name no audience, so whoever sees one may use it: https, or this machine, only. */
export function assertSafeForTokens(address: string): void {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" || isLoopback(hostname) || isOfThisMachine(hostname)) return;
  throw new AppError("invalid_configuration", `Tokens are not sent to ${address}: use https.`);
}

/** What is sent to an address of one's own leaves the machine as little as what is sent to loopback. */
function isOfThisMachine(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return Object.values(networkInterfaces()).some((own) => own?.some((each) => each.address === address));
}
