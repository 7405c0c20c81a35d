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

/** People's consents: their codes, and the tokens that the application gets for them. */
export interface Grants {
  /** The client secret; without it no token is issued. */
  clientSecret: string | undefined;
  /** Allowed redirect addresses, as entered in the developer portal. */
  redirectUris: Set<string>;
  allow(userId: string, asked: Asked): string;
  /** A token for a code, once; undefined if the code was used, has expired, or belongs to somebody else. */
  redeem(code: string, given: { redirectUri: string; verifier: string }): string | undefined;
  userOf(token: string): string | undefined;
  revoke(token: string): void;
}

/** Discord's codes live for a minute, its tokens for a week. Milliseconds. */
const codeLife = 60_000;
const tokenLife = 604_800_000;

export function createGrants(clock: Clock, clientSecret: string | undefined): Grants {
  const codes = new Map<string, Code>();
  const tokens = new Map<string, { userId: string; expiresAt: number }>();
  const isOver = ({ expiresAt }: { expiresAt: number }) => expiresAt <= clock.now();
  const sweep = (all: Map<string, { expiresAt: number }>) => {
    for (const [key, one] of all) if (isOver(one)) all.delete(key);
  };
  return {
    clientSecret,
    redirectUris: new Set(),
    allow(userId, asked) {
      sweep(codes);
      const code = randomBytes(15).toString("hex");
      codes.set(code, { ...asked, userId, expiresAt: clock.now() + codeLife });
      return code;
    },
    redeem(code, { redirectUri, verifier }) {
      const found = codes.get(code);
      codes.delete(code);
      if (!found || isOver(found) || found.redirectUri !== redirectUri) return undefined;
      if (createHash("sha256").update(verifier).digest("base64url") !== found.challenge) return undefined;
      sweep(tokens);
      const token = randomBytes(24).toString("base64url");
      tokens.set(token, { userId: found.userId, expiresAt: clock.now() + tokenLife });
      return token;
    },
    userOf(token) {
      const found = tokens.get(token);
      return found && !isOver(found) ? found.userId : undefined;
    },
    revoke: (token) => void tokens.delete(token),
  };
}
