// @ts-nocheck
import type { Kysely } from "kysely";
import { assertOutsideTransaction, guardTransaction } from "./guard.ts";
import type { Tables } from "./tables/index.ts";
import type { Tx } from "./database.ts";

const retries = 3;
/** Serialization failure and deadlock: the server undid everything, and the same work may well succeed now. */
const retriable = new Set(["40001", "40P01"]);

export async function runTransaction<T>(query: Kysely<Tables>, work: (tx: Tx) => Promise<T>): Promise<T> {
  assertOutsideTransaction("database.transaction");
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await guardTransaction((enter) => query.transaction().execute((tx) => enter(() => work(tx))));
    } catch (error) {
      if (attempt === retries || !retriable.has(sqlState(error) ?? "")) throw error;
    }
  }
}

/** The SQLSTATE of an error that Postgres reported, such as 23505 for a violated unique constraint. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
