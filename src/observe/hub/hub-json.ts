/* Reads a hub's JSON by hand: at thousands of events a second, schemas would take most of the time. */

/** Common to everything that a hub event brings. */
export interface Arrival {
  /** The hub event's id, which orders a page. */
  order: number;
  /** When the hub merged it, in UNIX seconds. The hub sets this time; the author sets the message's own timestamp. */
  mergedAt: number;
}

const hashForm = /^0x[0-9a-f]{40,64}$/;

/** Hashes are 0x-hex; those of removed casts are base64. */
export function asHash(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("a hash is missing");
  const lower = value.toLowerCase();
  if (hashForm.test(lower)) return lower;
  const decoded = `0x${Buffer.from(value, "base64").toString("hex")}`;
  if (!hashForm.test(decoded)) throw new TypeError("a hash is neither hex nor base64");
  return decoded;
}

export function asRecord(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new TypeError(`${name} is missing`);
  return value as Record<string, unknown>; // an object, whatever it holds
}

export function asInteger(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new TypeError("a number is missing");
  return value;
}

/** An author: 1 to 2^53-1. No valid message has any other. */
export function asFid(value: unknown): number {
  const fid = asInteger(value);
  if (fid < 1) throw new TypeError("a fid is not a whole number from 1 on");
  return fid;
}

export function isFid(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
