import { createPublicKey, verify } from "node:crypto";
import { LRUCache } from "lru-cache";
import { seconds } from "../clock.ts";
import type { ApiContext } from "./context.ts";
import { isExpired, parseToken, refuseToken, type Token } from "./domain/token.ts";

/** Milliseconds before a key is looked up again: how late a revocation by another process can take effect. */
const keyRecheck = 5_000;
const maxTokens = 10_000;

/** Authenticates callers by their bearer tokens. */
export interface Authenticator {
  /**
   * Returns the fid that an Authorization header proves. Throws `invalid_auth_token`. A token's signature is verified
   * once and cached until the token expires.
   */
  authenticate(this: void, header: string | undefined): Promise<number>;
  /** Makes a revocation take effect in this process at once; called after its commit. */
  forgetTokens(): void;
}

interface VerifiedToken extends Pick<Token, "fid" | "key" | "exp"> {
  /** When the key was last found registered, by the clock's `monotonic()`, so that setting the clock cannot prolong it. */
  checkedAt: number;
}

export function createAuthenticator(context: ApiContext): Authenticator {
  const verified = new LRUCache<string, VerifiedToken>({ max: maxTokens });
  /** Counts revocations, so that a check that began before one is not cached after it. */
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
      // The signature of a cached text is still valid; only the key may have been revoked since.
      if (!known && !isTokenSigned(token)) throw refuseToken("has a signature that does not match its key");
      if (!(await isKeyRegistered(context, token))) {
        verified.delete(text);
        throw refuseToken("names a key that is revoked or not registered for its fid");
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
 * Whether a token's key made its signature, by RFC 8032 with the cofactorless equation. The cofactored one, which the
 * RFC also allows, accepts signatures that OpenSSL and NaCl reject.
 */
export function isTokenSigned({
  key,
  signed,
  signature,
}: Pick<Token, "key" | "signed" | "signature">): boolean {
  const bytes = Buffer.from(key.slice(2), "hex");
  if (!isSoundKey(bytes)) return false;
  const jwk = { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") };
  // OpenSSL checks that S is below the group order, and compares R bytewise.
  return verify(null, signed, createPublicKey({ key: jwk, format: "jwk" }), signature);
}

/**
 * The checks that OpenSSL omits: each point has only one encoding, and none of the eight points of small order is used,
 * under which one signature fits many texts. OpenSSL itself rejects bytes that are not a point of the curve.
 */
function isSoundKey(key: Uint8Array): boolean {
  // The highest bit is the sign of x.
  const y = Buffer.from(key.toReversed());
  y[0] = (y[0] ?? 0) & 0x7f;
  return Buffer.compare(y, fieldPrime) < 0 && !smallOrder.has(y.toString("hex"));
}

const fieldPrime = Buffer.from(`7f${"ff".repeat(30)}ed`, "hex");
/** The y coordinates of the points of order 1, 2, 4 and 8, big-endian. */
const smallOrder: ReadonlySet<string> = new Set([
  `${"00".repeat(31)}01`,
  `7f${"ff".repeat(30)}ec`,
  "00".repeat(32),
  "05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826",
  "7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7",
]);
