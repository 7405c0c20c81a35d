import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import { AppError } from "../errors.ts";
import type { Database, Tx } from "./database.ts";
import type { Tables } from "./tables/index.ts";

const retries = 3;
/** Serialization failure and deadlock: the server undid everything, and the same work may well succeed now. */
const retriable = new Set(["40001", "40P01"]);

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

/** Thrown by a transaction's work, it has all of it rolled back and done again, as where the server says so itself. */
export function askForRetry(message: string, cause: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: "40001" });
}

interface Scope {
  /** True while the transaction's work runs: not yet while it waits for a connection, no more once it ended. */
  open: boolean;
  /** Made where the transaction began; only its stack is read. */
  begun: Error;
  /** What follows the commit. */
  tasks: Set<() => void>;
}

const scopes = new AsyncLocalStorage<Scope>();
/** Transactions under way. While there is none, no promise of the process pays for being followed (see Node's async_hooks). */
let running = 0;

/**
 * Throws `database_misused` inside a transaction. For whatever must not be awaited there: it would hold locks for long,
 * and on the embedded engine, which has one session, wait for itself for ever.
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
 * Runs `task` once the transaction under way has committed; not at all when it is rolled back. The same function given
 * twice runs once. Nobody waits for what it starts, and it must not throw. Throws `database_misused` outside a transaction.
 */
export function afterCommit(task: () => void): void {
  const scope = scopes.getStore();
  if (!scope?.open) throw new AppError("database_misused", "afterCommit was used outside a transaction.");
  scope.tasks.add(task);
}

/** Where the transaction that the caller belongs to began, for the message to whoever waits for it. */
export function transactionOrigin(): (() => string) | undefined {
  const scope = scopes.getStore();
  // A stack is costly to write out, and hardly ever read.
  return scope && (() => originOf(scope));
}

/** Runs `transact`, which must pass the transaction's work through `enter`, and what is to follow its commit. */
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
