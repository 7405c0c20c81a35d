import { AppError } from "../../errors.ts";

/** A bearer token with a valid format and valid times; its signature and key are not checked yet. */
export interface Token {
  fid: number;
  /** Lowercase hex with 0x. */
  key: string;
  /** UNIX seconds. */
  exp: number;
  signature: Uint8Array;
  /** The signed text: the UTF-8 bytes of `<header>.<payload>`. */
  signed: Uint8Array;
}

/** Maximum seconds that the caller's clock may be behind ours. */
const skew = 5;
const longestToken = 4096;
const segment = "[A-Za-z0-9_-]+";
const form = new RegExp(`^(${segment})\\.(${segment})\\.(${segment})$`);

/**
 * Reads a token and makes those checks, in the interface's order, that need no key: `lifetime` is the maximum `exp` in
 * seconds from `now`. Throws `invalid_auth_token`.
 */
export function parseToken(text: string, now: number, lifetime: number): Token {
  const [, header = "", payload = "", signature = ""] =
    (text.length <= longestToken && form.exec(text)) || [];
  if (!header) throw refuseToken("is not three base64url segments");
  const { fid, type, key } = readObject(header, "header");
  const { exp } = readObject(payload, "payload");
  if (type !== "app_key") throw refuseToken("is not of type app_key");
  if (!isInteger(fid) || fid < 1) throw refuseToken("names no fid");
  if (typeof key !== "string" || !/^(0x)?[0-9a-f]{64}$/i.test(key))
    throw refuseToken("names no key of 32 bytes");
  const signatureBytes = Buffer.from(signature, "base64url");
  if (signatureBytes.length !== 64) throw refuseToken("has no signature of 64 bytes");
  if (!isInteger(exp)) throw refuseToken("has no expiry time");
  if (isExpired(exp, now)) throw refuseToken("is expired");
  if (exp > now + lifetime) throw refuseToken("expires too far in the future");
  return {
    fid,
    key: normalizeKey(key),
    exp,
    signature: signatureBytes,
    signed: Buffer.from(`${header}.${payload}`),
  };
}

export function isExpired(exp: number, now: number): boolean {
  return exp <= now - skew;
}

/** An Ed25519 key as stored: 0x and 64 lowercase hex digits. */
export function normalizeKey(key: string): string {
  return `0x${key.toLowerCase().replace(/^0x/, "")}`;
}

export function refuseToken(problem: string): AppError {
  return new AppError("invalid_auth_token", `The bearer token ${problem}.`);
}

function readObject(encoded: string, part: string): Record<string, unknown> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64url"));
    const value: unknown = JSON.parse(text);
    // A JSON object, not null and not an array; its members are read by name and checked.
    if (typeof value === "object" && value && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Not UTF-8 or not JSON: rejected below like JSON that is not an object.
  }
  throw refuseToken(`has a ${part} that is not a JSON object`);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
