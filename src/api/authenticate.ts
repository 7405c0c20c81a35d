import { seconds } from "../clock.ts";
import type { ApiContext } from "./context.ts";
import { isExpired, parseToken, refuseToken, type Token } from "./domain/token.ts";
import { isTokenSigned } from "./verify-token.ts";

/** After so many milliseconds a key is looked up again: how late a revocation by another process may count. */
const keyRecheck = 5_000;
const mostTokens = 10_000;

interface Verified {
  fid: number;
  key: string;
  exp: number;
  /** When the key was last seen registered, by the clock's `monotonic()`: setting the clock must not prolong it. */
  checkedAt: number;
}

interface VerifiedTokens {
  byText: Map<string, Verified>;
  /** Counts revocations: a check that began before one must not be remembered after it. */
  revocations: number;
}

const verifiedTokens = new WeakMap<ApiContext, VerifiedTokens>();

/**
 * The fid that an Authorization header proves. Throws `invalid_auth_token`. The signature of a token is verified once
 * and remembered until the token expires.
 */
export async function authenticate(context: ApiContext, header: string | undefined): Promise<number> {
  const text = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  if (!text) throw refuseToken("is missing: send the header Authorization: Bearer <token>");
  const tokens = tokensOf(context);
  const now = seconds(context.clock);
  const checkedAt = context.clock.monotonic();
  const known = tokens.byText.get(text);
  if (known && !isExpired(known.exp, now) && checkedAt - known.checkedAt < keyRecheck) return known.fid;
  const { revocations } = tokens;
  const token = parseToken(text, now, context.settings.tokenLifetime);
  // What was verified once stays true of the same text; only its key may have been revoked since.
  if (!known && !isTokenSigned(token)) throw refuseToken("has a signature that is not of its key");
  if (!(await isKeyRegistered(context, token))) {
    tokens.byText.delete(text);
    throw refuseToken("names a key that is not registered for its fid, or revoked");
  }
  if (tokens.revocations === revocations) remember(tokens, text, { ...token, checkedAt });
  return token.fid;
}

/** Makes a revocation count at once in this process; called after its commit. */
export function forgetVerifiedTokens(context: ApiContext): void {
  const tokens = tokensOf(context);
  tokens.revocations += 1;
  tokens.byText.clear();
}

function tokensOf(context: ApiContext): VerifiedTokens {
  const tokens = verifiedTokens.get(context) ?? { byText: new Map<string, Verified>(), revocations: 0 };
  verifiedTokens.set(context, tokens);
  return tokens;
}

/** Keeps the newest tokens: the map is in order of insertion. */
function remember({ byText }: VerifiedTokens, text: string, { fid, key, exp, checkedAt }: Verified): void {
  byText.delete(text);
  const [oldest] = byText.keys();
  if (byText.size >= mostTokens && oldest !== undefined) byText.delete(oldest);
  byText.set(text, { fid, key, exp, checkedAt });
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
