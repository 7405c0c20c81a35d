import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../../clock.ts";

/** The path of the consent page. */
export const authorizePath = "/oauth2/authorize";

/** An application's request for consent, from the page's query string. */
export interface Asked {
  redirectUri: string;
  scope: string;
  /** SHA-256 of the client's secret, in base64url (PKCE). */
  challenge: string;
}

interface Code extends Asked {
  userId: string;
  expiresAt: number;
}

/** Discord's codes live for a minute, its tokens for a week. Milliseconds. */
const codeLife = 60_000;
const tokenLife = 604_800_000;

export type Grants = ReturnType<typeof createGrants>;

/** People's consents: their codes, and the tokens that the application gets for them. */
export function createGrants(clock: Clock, clientSecret: string | undefined) {
  const codes = new Map<string, Code>();
  const tokens = new Map<string, { userId: string; expiresAt: number }>();
  const isOver = ({ expiresAt }: { expiresAt: number }) => expiresAt <= clock.now();
  const sweep = (all: Map<string, { expiresAt: number }>) => {
    for (const [key, one] of all) if (isOver(one)) all.delete(key);
  };
  return {
    /** The client secret; without it no token is issued. */
    clientSecret,
    /** Allowed redirect addresses, as entered in the developer portal. */
    redirectUris: new Set<string>(),
    allow(userId: string, asked: Asked): string {
      sweep(codes);
      const code = randomBytes(15).toString("hex");
      codes.set(code, { ...asked, userId, expiresAt: clock.now() + codeLife });
      return code;
    },
    /** A token for a code, once; undefined if the code was used, has expired, or belongs to somebody else. */
    redeem(code: string, { redirectUri, verifier }: { redirectUri: string; verifier: string }) {
      const found = codes.get(code);
      codes.delete(code);
      if (!found || isOver(found) || found.redirectUri !== redirectUri) return undefined;
      if (createHash("sha256").update(verifier).digest("base64url") !== found.challenge) return undefined;
      sweep(tokens);
      const token = randomBytes(24).toString("base64url");
      tokens.set(token, { userId: found.userId, expiresAt: clock.now() + tokenLife });
      return token;
    },
    userOf(token: string): string | undefined {
      const found = tokens.get(token);
      return found && !isOver(found) ? found.userId : undefined;
    },
    revoke: (token: string) => void tokens.delete(token),
  };
}
