import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import { AppError } from "../errors.ts";
import type { Database, Tx } from "./database.ts";
import type { Tables } from "./tables/index.ts";

const retries = 3;
/**
 * Serialization failure, deadlock, and a row that another transaction stored a moment ago. All is rolled back, and the retry
 * sees what the other one stored.
 */
const retriable = new Set(["40001", "40P01", "23505"]);

/** See `Database.transaction`. */
export function createTransaction(query: Kysely<Tables>): Database["transaction"] {
  return (work) => runTransaction(query, work);
}

async function runTransaction<T>(query: Kysely<Tables>, work: (tx: Tx) => Promise<T>): Promise<T> {
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

interface Scope {
  /** True while the transaction's work runs: neither while it waits for a connection, nor after it ended. */
  open: boolean;
  /** Created where the transaction began; only its stack is used. */
  begun: Error;
  /** Tasks to run after the commit. */
  tasks: Set<() => void>;
}

const scopes = new AsyncLocalStorage<Scope>();
/** Transactions under way. At zero, async_hooks is off, because following promises slows down all of them. */
let running = 0;

/**
 * Throws `database_misused` inside a transaction. For calls that must not be awaited there: they would prolong its
 * locks, and on the embedded engine, which has one session, wait for themselves forever.
 */
export function assertOutsideTransaction(what: string): void {
  const scope = scopes.getStore();
  if (!scope?.open) return;
  throw new AppError(
    "database_misused",
    `${what} was used inside a transaction, where only its tx may be awaited. The transaction began ${originOf(scope)}.`,
  );
}

/**
 * Runs `task` after the current transaction commits; not at all if it rolls back. The same function runs only once.
 * Nothing awaits its work, and it must not throw. Throws `database_misused` outside a transaction.
 */
export function afterCommit(task: () => void): void {
  const scope = scopes.getStore();
  if (!scope?.open) throw new AppError("database_misused", "afterCommit was used outside a transaction.");
  scope.tasks.add(task);
}

/** Where the caller's transaction began, for the error message to a client that waits for it. */
export function transactionOrigin(): (() => string) | undefined {
  const scope = scopes.getStore();
  // A stack is expensive to format, and rarely read.
  return scope && (() => originOf(scope));
}

/** Runs `transact`, which must pass the transaction's work through `enter`, and then the tasks after the commit. */
async function guardTransaction<T>(
  transact: (enter: <R>(work: () => Promise<R>) => Promise<R>) => Promise<T>,
): Promise<T> {
  const scope: Scope = { open: false, begun: new Error("transaction"), tasks: new Set() };
  const enter = async <R>(work: () => Promise<R>): Promise<R> => {
    scope.open = true;
    try {
      return await work();
    } finally {
      scope.open = false;
    }
  };
  running += 1;
  const result = await scopes
    .run(scope, () => transact(enter))
    .finally(() => {
      running -= 1;
      if (running === 0) scopes.disable();
    });
  for (const task of scope.tasks) task();
  return result;
}

/** The first line of the stack outside this folder. */
function originOf(scope: Scope): string {
  const lines = scope.begun.stack?.split("\n").slice(1) ?? [];
  const line = lines.find((line) => !/[\\/]src[\\/]database[\\/]/.test(line)) ?? lines.at(-1);
  return line?.trim() ?? "at an unknown place";
}
