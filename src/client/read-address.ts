import { AppError } from "../errors.ts";

/** A base address without trailing slash. Throws `invalid_configuration`. */
export function readAddress(address: string): string {
  if (!URL.canParse(address) || !/^https?:/.test(address)) {
    throw new AppError("invalid_configuration", `"${address}" is not an http or https address.`);
  }
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, "");
}
