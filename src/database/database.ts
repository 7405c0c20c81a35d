import type { Kysely, Transaction } from "kysely";
import type { Pool } from "pg";
import type { Tables } from "./tables/index.ts";

/** A transaction in progress; everything inside it must use this. */
export type Tx = Transaction<Tables>;

/** Runs statements: a transaction, or the pool for single statements. */
export type Queryable = Kysely<Tables>;

/** A Postgres database, embedded or on a server; its users cannot tell which. */
export interface Database {
  engine: "embedded" | "server";
  /** Single statements outside transactions. Throws `database_misused` when used inside `transaction`. */
  query: Queryable;
  /**
   * Runs `work` in one transaction: commits when it returns, rolls back when it throws. Inside it, only `tx` may be
   * awaited: no `query`, queue, HTTP or other transaction (`database_misused`). Serialization failures, deadlocks
   * and violated unique constraints are retried with a new `tx`, at most three times.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** For BullMQ, and for work that needs its own connection. */
  pool: Pool;
  /** All pools by purpose; the embedded engine has one. */
  pools: Readonly<Record<string, Pool>>;
  /** A pooler gives each transaction another connection, so session settings do not last. */
  pooled: boolean;
  /** Starts a backup whose archive entries are in the folder `under`. Only for an embedded database in a directory. */
  backUp?: (under: string) => Promise<DatabaseBackup>;
  /** A current problem and what to do, for people, such as a full disk; undefined if there is none. */
  trouble(): string | undefined;
  close(): Promise<void>;
}

/** A backup in progress. */
export interface DatabaseBackup {
  /** The database's files as archive entries. The backup has the state of the moment when they end. */
  files: AsyncIterable<Uint8Array>;
  /** Log files that make the others consistent; to be read after them. */
  log: AsyncIterable<Uint8Array>;
  /** Must always be called, even if the entries were not all read. */
  close(): Promise<void>;
}
