// @ts-nocheck
import { createHash, createPublicKey, verify } from "node:crypto";

/** The order of Ed25519's group. */
export const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

/** Numbers as Ed25519 writes them: 32 bytes, the lowest first. */
export const bytesOf = (number: bigint): Uint8Array =>
  Buffer.from(number.toString(16).padStart(64, "0"), "hex").toReversed();
export const numberOf = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes.toReversed()).toString("hex")}`);

/** What a signature multiplies its key by: SHA-512(R, A, text) modulo the order. */
export function challengeOf(r: Uint8Array, key: Uint8Array, text: Uint8Array): bigint {
  const hash = createHash("sha512").update(r).update(key).update(text).digest();
  return numberOf(hash) % order;
}

/** What OpenSSL says of a signature. */
export function opensslVerifies(signature: Uint8Array, text: Uint8Array, key: Uint8Array): boolean {
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key).toString("base64url") };
  return verify(null, text, createPublicKey({ key: jwk, format: "jwk" }), signature);
}
