import type { Selectable } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import type { NetworkTables } from "../../database/tables/network.ts";
import { AppError } from "../../errors.ts";
import { longestWait, stateOf, type KeyRequestState } from "../domain/signed-key-request.ts";

export type KeyRequestRow = Selectable<NetworkTables["network.signed_key_requests"]>;

/** The states in which a request is visible to those who ask for it. */
export type VisibleState = Exclude<KeyRequestState, "expired" | "refused">;

/** A request with its state; an unknown, expired or refused one is `not_found`. */
export async function requireKeyRequest(
  db: Queryable,
  token: string,
  now: number,
): Promise<{ row: KeyRequestRow; state: VisibleState }> {
  const row = await selectRequest(db, token).executeTakeFirst();
  return requireVisible(row, now);
}

/** The same, locked until the transaction ends. */
export async function lockKeyRequest(
  tx: Tx,
  token: string,
  now: number,
): Promise<{ row: KeyRequestRow; state: VisibleState }> {
  return requireVisible(await selectRequest(tx, token).forUpdate().executeTakeFirst(), now);
}

function selectRequest(db: Queryable, token: string) {
  return db.selectFrom("network.signed_key_requests").selectAll().where("token", "=", token);
}

function requireVisible(row: KeyRequestRow | undefined, now: number) {
  const state = row ? stateOf(row, now) : "expired";
  if (!row || state === "expired" || state === "refused") {
    throw new AppError("not_found", "Request not found: it has expired or was refused.");
  }
  return { row, state };
}

/** This application's pending request for this key. */
export function findPendingRequest(
  tx: Tx,
  { requestFid, key, now }: { requestFid: number; key: string; now: number },
): Promise<KeyRequestRow | undefined> {
  return tx
    .selectFrom("network.signed_key_requests")
    .selectAll()
    .where("request_fid", "=", requestFid)
    .where("key", "=", key)
    .where("answer", "is", null)
    .where("deadline", ">", now)
    .where("created_at", ">", now - longestWait)
    .executeTakeFirst();
}

/** Registers a key that a user approved, valid from `validFrom`. A revoked key cannot return: `not_permitted`. */
export async function addAppKey(tx: Tx, fid: number, key: string, validFrom: number): Promise<void> {
  const known = await tx
    .insertInto("network.app_keys")
    .values({ fid, key, revoked_at: null, valid_from: validFrom })
    .onConflict((conflict) => conflict.columns(["fid", "key"]).doUpdateSet({ key }))
    .returning("revoked_at")
    .executeTakeFirstOrThrow();
  if (known.revoked_at !== null) {
    throw new AppError("not_permitted", "This key was revoked for this user and cannot come back.");
  }
}
