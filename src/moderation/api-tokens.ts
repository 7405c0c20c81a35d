import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { sql, type Selectable } from "kysely";
import type { BotContext } from "../bot-context.ts";
import { camelCased, type CamelCased } from "../database/camel-case.ts";
import type { Queryable, Tx } from "../database/database.ts";
import type { ApiTokenTable } from "../database/tables/moderation.ts";
import { AppError } from "../errors.ts";
import type { Capability } from "./capabilities.ts";

/*
 * A token belongs to one server and acts in the name of its creator. It can do what its creator currently may, limited to
 * its own capabilities. It looks like castellan_12_<secret>; the database stores the secret's hash.
 */

export type ApiToken = CamelCased<Selectable<ApiTokenTable>>;

/** The capabilities that the API has operations for. */
export const apiCapabilities = [
  "view",
  "invite",
  "hide",
  "pin",
  "ban",
  "undo",
] as const satisfies Capability[];
export type ApiCapability = (typeof apiCapabilities)[number];

/** The most active tokens of one server. */
const maxTokens = 20;
/** Resolution of the time of last use, in milliseconds. */
const useResolutionMs = 60_000;

/** The hash of no secret. */
const hashOfNone = "0".repeat(64);

/** Why a token is rejected. */
export type TokenFault = "unknown" | "revoked" | "expired";

interface NewToken {
  guildId: string;
  name: string;
  capabilities: readonly ApiCapability[];
  createdBy: string;
  expiresAtMs: number;
}

/** Stores a token and returns it in full, which is possible only now. Throws `invalid_input` for a name in use, or for too many tokens. */
export async function createToken(
  tx: Tx,
  { clock }: Pick<BotContext, "clock">,
  { guildId, name, capabilities, createdBy, expiresAtMs }: NewToken,
): Promise<string> {
  // Otherwise somebody who creates one of the same name at once would revoke this one below.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api tokens ${guildId}`}, 0))`.execute(tx);
  const active = await listTokens(tx, guildId, clock.now());
  if (active.length >= maxTokens) {
    throw new AppError("invalid_input", `A server has at most ${maxTokens} API tokens. Revoke one first.`);
  }
  if (active.some((one) => one.name === name)) {
    throw new AppError("invalid_input", `There is an API token ${name} already. Revoke it first.`);
  }
  // A new token can take the name of an expired one.
  await revokeToken(tx, { clock }, guildId, name);
  const secret = randomBytes(32).toString("base64url");
  const { id } = await tx
    .insertInto("castellan.api_tokens")
    .values({
      guild_id: guildId,
      name,
      secret_hash: digest(secret).toString("hex"),
      capabilities: [...capabilities],
      created_by: createdBy,
      created_at_ms: clock.now(),
      expires_at_ms: expiresAtMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return `castellan_${id}_${secret}`;
}

/** A server's active tokens, by name. */
export async function listTokens(db: Queryable, guildId: string, now: number): Promise<ApiToken[]> {
  const rows = await db
    .selectFrom("castellan.api_tokens")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("revoked_at_ms", "is", null)
    .where("expires_at_ms", ">", now)
    .orderBy("name")
    .execute();
  return rows.map(camelCased);
}

/** Returns false if the server has no such token. */
export async function revokeToken(
  db: Queryable,
  { clock }: Pick<BotContext, "clock">,
  guildId: string,
  name: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("castellan.api_tokens")
    .set({ revoked_at_ms: clock.now() })
    .where("guild_id", "=", guildId)
    .where("name", "=", name)
    .where("revoked_at_ms", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The token of a request, or why it is rejected. Without the secret, a client learns nothing about a token. */
export async function findToken(
  { database, clock }: Pick<BotContext, "database" | "clock">,
  brought: string,
): Promise<ApiToken | TokenFault> {
  const [, id, secret = ""] = /^castellan_(\d{1,15})_([\w-]{43})$/.exec(brought) ?? [];
  if (id === undefined) return "unknown";
  const row = await database.query
    .selectFrom("castellan.api_tokens")
    .selectAll()
    .where("id", "=", Number(id))
    .executeTakeFirst();
  // An unknown number takes as long as a wrong secret, so it does not show which tokens exist.
  const isRight = timingSafeEqual(digest(secret), Buffer.from(row?.secret_hash ?? hashOfNone, "hex"));
  if (!row || !isRight) return "unknown";
  if (row.revoked_at_ms !== null) return "revoked";
  if (row.expires_at_ms <= clock.now()) return "expired";
  return camelCased(row);
}

/** Stores when a token was last used, to the minute. */
export async function noteTokenUse(
  { database, clock }: Pick<BotContext, "database" | "clock">,
  { id, usedAtMs }: ApiToken,
): Promise<void> {
  const now = clock.now();
  if (usedAtMs !== null && now - usedAtMs < useResolutionMs) return;
  await database.query
    .updateTable("castellan.api_tokens")
    .set({ used_at_ms: now })
    .where("id", "=", id)
    .execute();
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
