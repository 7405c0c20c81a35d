import { createHash, timingSafeEqual } from "node:crypto";

/** Compares a given secret with the right one in constant time, for which their hashes have equal lengths. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
