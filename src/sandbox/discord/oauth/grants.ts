import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../../clock.ts";

/** The path of the page on which people are asked. */
export const authorizePath = "/oauth2/authorize";

/** What an application asks a person for, as it stands in the address of the page that asks. */
export interface Asked {
  redirectUri: string;
  scope: string;
  /** SHA-256 of a secret of whoever asks, in base64url (PKCE). */
  challenge: string;
}

interface Code extends Asked {
  userId: string;
  expiresAt: number;
}

/** What people let the application know: codes for it, and the tokens that it gets for them. */
export interface Grants {
  /** The application's; without it nobody gets a token. */
  clientSecret: string | undefined;
  /** Where the application may have people sent back to, as its owner would enter them in the developer portal. */
  redirectUris: Set<string>;
  allow(userId: string, asked: Asked): string;
  /** A token for a code, once; undefined for one that is used, expired, or somebody else's. */
  redeem(code: string, given: { redirectUri: string; verifier: string }): string | undefined;
  userOf(token: string): string | undefined;
  revoke(token: string): void;
}

/** Discord's codes live a minute, its tokens a week. Milliseconds. */
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
