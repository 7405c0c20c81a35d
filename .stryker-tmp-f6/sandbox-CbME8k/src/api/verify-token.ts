// @ts-nocheck
import { createPublicKey, verify } from "node:crypto";
import { Point } from "@noble/ed25519";
import type { Token } from "./domain/token.ts";

/**
 * Whether a token's key made its signature: RFC 8032 with the equation without cofactor. The one with cofactor, which it
 * allows too, accepts signatures that OpenSSL and NaCl refuse.
 */
export function isTokenSigned({
  key,
  signed,
  signature,
}: Pick<Token, "key" | "signed" | "signature">): boolean {
  const bytes = Buffer.from(key.slice(2), "hex");
  if (!isSoundKey(bytes)) return false;
  const jwk = { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") };
  // OpenSSL checks that S is below the order, and compares R by its bytes.
  return verify(null, signed, createPublicKey({ key: jwk, format: "jwk" }), signature);
}

/** What OpenSSL does not ask of a key: one encoding for each point, and none under which a signature fits many texts. */
function isSoundKey(key: Uint8Array): boolean {
  try {
    return !Point.fromBytes(key).isSmallOrder();
  } catch {
    // No point of the curve, or not as RFC 8032 writes it.
    return false;
  }
}
