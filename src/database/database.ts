import type { Kysely, Transaction } from "kysely";
import type { Pool } from "pg";
import type { Tables } from "./tables/index.ts";

/** A transaction in progress: everything inside it goes through this and nothing else. */
export type Tx = Transaction<Tables>;

/** Runs statements: a transaction, or the pool for single statements. */
export type Queryable = Kysely<Tables>;

/** One Postgres, embedded or server. Who holds it cannot tell which. */
export interface Database {
  engine: "embedded" | "server";
  /** Single statements outside transactions. Throws `database_misused` when used inside `transaction`. */
  query: Queryable;
  /**
   * Runs `work` in one transaction: commits what it returns, rolls back what it throws. Nothing but `tx` may be
   * awaited inside it: no `query`, no queue, no HTTP, no other transaction (`database_misused`).
   * On a server, a serialization failure or deadlock is retried with a fresh `tx`, at most three times.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** For BullMQ, and for what needs a connection of its own. */
  pool: Pool;
  /** All pools, by what they are for; the embedded engine has one. */
  pools: Readonly<Record<string, Pool>>;
  /** A pooler gives each transaction another connection: nothing that is set on one lasts. */
  pooled: boolean;
  /** Begins a backup whose entries lie `under` a folder of an archive. Only of an embedded one that is in a directory. */
  backUp?: (under: string) => Promise<DatabaseBackup>;
  /** For people: what is wrong at the moment and what to do, such as a full disk; undefined while all is well. */
  trouble(): string | undefined;
  close(): Promise<void>;
}

/** A backup in progress. */
export interface DatabaseBackup {
  /** The database's files as entries of an archive. Where they end is the moment whose state the backup has. */
  files: AsyncIterable<Uint8Array>;
  /** What makes the files whole, to be read after them. */
  log: AsyncIterable<Uint8Array>;
  /** To be called in any case, also when the entries were not read to their end. */
  close(): Promise<void>;
}
