import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Selectable } from "kysely";
import type { BotContext } from "../bot-context.ts";
import { camelCased, type CamelCased } from "../database/camel-case.ts";
import type { Queryable, Tx } from "../database/database.ts";
import type { ApiTokenTable } from "../database/tables/moderation.ts";
import { AppError } from "../errors.ts";
import type { Capability } from "./capabilities.ts";

/*
 * A token belongs to one server and acts in the name of its creator: it may do what they may at that moment, and of that only
 * what it was given. It looks like castellan_12_<secret>; the database has the secret's hash.
 */

export type ApiToken = CamelCased<Selectable<ApiTokenTable>>;

/** What the API has operations for. */
export const apiCapabilities = [
  "view",
  "invite",
  "hide",
  "pin",
  "ban",
  "undo",
] as const satisfies Capability[];
export type ApiCapability = (typeof apiCapabilities)[number];

/** Tokens of one server that are in use at the same time. */
const maxTokens = 20;
/** How exactly the last use is remembered, in milliseconds. */
const useResolutionMs = 60_000;

/** Why a token does not count. */
export type TokenFault = "unknown" | "revoked" | "expired";

interface NewToken {
  guildId: string;
  name: string;
  capabilities: readonly ApiCapability[];
  createdBy: string;
  expiresAtMs: number;
}

/** Writes a token and gives it in full, which nothing can do later. Throws `invalid_input` for a name in use, or one token too many. */
export async function createToken(
  tx: Tx,
  { clock }: Pick<BotContext, "clock">,
  { guildId, name, capabilities, createdBy, expiresAtMs }: NewToken,
): Promise<string> {
  const active = await listTokens(tx, guildId, clock.now());
  if (active.length >= maxTokens) {
    throw new AppError("invalid_input", `A server has at most ${maxTokens} API tokens. Revoke one first.`);
  }
  if (active.some((one) => one.name === name)) {
    throw new AppError("invalid_input", `There is an API token ${name} already. Revoke it first.`);
  }
  // An expired token leaves its name to a new one.
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

/** The tokens of a server that work, in the order of their names. */
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

/** False where the server has no such token. */
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

/** The token that somebody brings, or why it does not count. Who does not have the secret learns nothing of a token. */
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
  if (!row || !timingSafeEqual(digest(secret), Buffer.from(row.secret_hash, "hex"))) return "unknown";
  if (row.revoked_at_ms !== null) return "revoked";
  if (row.expires_at_ms <= clock.now()) return "expired";
  return camelCased(row);
}

/** Remembers that a token was used, to the minute. */
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
