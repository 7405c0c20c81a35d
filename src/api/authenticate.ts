import { createPublicKey, verify } from "node:crypto";
import { LRUCache } from "lru-cache";
import { seconds } from "../clock.ts";
import type { ApiContext } from "./context.ts";
import { isExpired, parseToken, refuseToken, type Token } from "./domain/token.ts";

/** After so many milliseconds a key is looked up again: how late a revocation by another process may count. */
const keyRecheck = 5_000;
const maxTokens = 10_000;

/** Proves callers by their bearer tokens. */
export interface Authenticator {
  /**
   * The fid that an Authorization header proves. Throws `invalid_auth_token`. The signature of a token is verified once
   * and remembered until the token expires.
   */
  authenticate(this: void, header: string | undefined): Promise<number>;
  /** Makes a revocation count at once in this process; called after its commit. */
  forgetTokens(): void;
}

interface VerifiedToken extends Pick<Token, "fid" | "key" | "exp"> {
  /** When the key was last seen registered, by the clock's `monotonic()`: setting the clock must not prolong it. */
  checkedAt: number;
}

export function createAuthenticator(context: ApiContext): Authenticator {
  const verified = new LRUCache<string, VerifiedToken>({ max: maxTokens });
  /** A check that began before a revocation must not be remembered after it. */
  let revocations = 0;

  return {
    async authenticate(header) {
      const text = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
      if (!text) throw refuseToken("is missing: send the header Authorization: Bearer <token>");
      const now = seconds(context.clock);
      const checkedAt = context.clock.monotonic();
      const known = verified.get(text);
      if (known && !isExpired(known.exp, now) && checkedAt - known.checkedAt < keyRecheck) return known.fid;
      const revocationsBefore = revocations;
      const token = parseToken(text, now, context.settings.tokenLifetime);
      // What was verified once stays true of the same text; only its key may have been revoked since.
      if (!known && !isTokenSigned(token)) throw refuseToken("has a signature that is not of its key");
      if (!(await isKeyRegistered(context, token))) {
        verified.delete(text);
        throw refuseToken("names a key that is not registered for its fid, or revoked");
      }
      const { fid, key, exp } = token;
      if (revocations === revocationsBefore) verified.set(text, { fid, key, exp, checkedAt });
      return fid;
    },
    forgetTokens() {
      revocations += 1;
      verified.clear();
    },
  };
}

async function isKeyRegistered({ database, clock }: ApiContext, { fid, key }: Token): Promise<boolean> {
  const row = await database.query
    .selectFrom("network.app_keys")
    .select("fid")
    .where("fid", "=", fid)
    .where("key", "=", key)
    .where("revoked_at", "is", null)
    .where("valid_from", "<=", seconds(clock))
    .executeTakeFirst();
  return row !== undefined;
}

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

/**
 * What OpenSSL does not ask of a key: one encoding for each point, and none of the eight points of small order, under which
 * one signature fits many texts. It refuses by itself what is no point of the curve.
 */
function isSoundKey(key: Uint8Array): boolean {
  // The highest bit says which x belongs to y.
  const y = Buffer.from(key.toReversed());
  y[0] = (y[0] ?? 0) & 0x7f;
  return Buffer.compare(y, fieldPrime) < 0 && !smallOrder.has(y.toString("hex"));
}

const fieldPrime = Buffer.from(`7f${"ff".repeat(30)}ed`, "hex");
/** The y of points of order 1, 2, 4 and 8, big-endian. */
const smallOrder: ReadonlySet<string> = new Set([
  `${"00".repeat(31)}01`,
  `7f${"ff".repeat(30)}ec`,
  "00".repeat(32),
  "05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826",
  "7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7",
]);
