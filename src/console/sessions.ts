import { createHash, createHmac, randomBytes } from "node:crypto";
import type { BotContext } from "../bot-context.ts";

/** A signed-in person. */
export interface Session {
  userId: string;
  /** A token that each of their changing requests must carry, in addition to the cookie. */
  csrf: string;
}

/** Milliseconds that a session lasts: a night's work, but not until the next morning. */
export const sessionLife = 12 * 3600_000;

type Parts = Pick<BotContext, "database" | "clock">;

/** Starts a session and returns its token. Only its hash is stored in the database. A previous session ends. */
export async function beginSession(
  { database, clock }: Parts,
  userId: string,
  before: string | undefined,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const now = clock.now();
  await database.transaction(async (tx) => {
    if (before !== undefined) {
      await tx.deleteFrom("castellan.console_sessions").where("token_hash", "=", hash(before)).execute();
    }
    await tx
      .insertInto("castellan.console_sessions")
      .values({
        token_hash: hash(token),
        user_id: userId,
        begun_at_ms: now,
        expires_at_ms: now + sessionLife,
      })
      .execute();
  });
  return token;
}

/** undefined for an unknown or expired token. */
export async function readSession(
  { database, clock }: Parts,
  token: string | undefined,
): Promise<Session | undefined> {
  if (token === undefined) return undefined;
  const row = await database.query
    .selectFrom("castellan.console_sessions")
    .select("user_id")
    .where("token_hash", "=", hash(token))
    .where("expires_at_ms", ">", clock.now())
    .executeTakeFirst();
  return row && { userId: row.user_id, csrf: csrfOf(token) };
}

export async function endSession({ database }: Parts, token: string): Promise<void> {
  await database.query
    .deleteFrom("castellan.console_sessions")
    .where("token_hash", "=", hash(token))
    .execute();
}

function hash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Derived from the session token, which pages cannot read. The token cannot be derived from it. */
function csrfOf(token: string): string {
  return createHmac("sha256", token).update("console csrf").digest("base64url");
}
