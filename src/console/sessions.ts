import { createHash, createHmac, randomBytes } from "node:crypto";
import type { BotContext } from "../bot-context.ts";

/** Somebody who is signed in. */
export interface Session {
  userId: string;
  /** What each of their requests that changes something must carry, besides the cookie. */
  csrf: string;
}

/** How long one stays signed in, in milliseconds: a night's work, and not somebody else's morning. */
export const sessionLife = 12 * 3600_000;

type Parts = Pick<BotContext, "database" | "clock">;

/** Begins a session and gives its token, which is nowhere else: the database has its hash. One that was there before ends. */
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

/** undefined for a token that is nobody's, or is not any more. */
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

/** Follows from the token, which pages cannot read, and does not lead back to it. */
function csrfOf(token: string): string {
  return createHmac("sha256", token).update("console csrf").digest("base64url");
}
