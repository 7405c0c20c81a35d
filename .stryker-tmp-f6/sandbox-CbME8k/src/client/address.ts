// @ts-nocheck
import { AppError } from "../errors.ts";

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
  if (protocol === "https:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return;
  throw new AppError("invalid_configuration", `Tokens are not sent to ${address}: use https.`);
}
