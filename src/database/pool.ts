import type { Socket } from "node:net";
import { Client, Pool, type PoolClient, type PoolConfig } from "pg";
import { assertOutsideTransaction, sqlState } from "./transactions.ts";
import { explainUnavailable } from "./unavailable.ts";
import { getTypeParser } from "./value-types.ts";

/** The open connections of all pools to one server. */
export type Connections = Map<PoolClient, ConnectionState>;

interface ConnectionState {
  /** Answers that the server owes on it. */
  awaited: number;
  /** When the last answer came (`performance.now()`). */
  answeredAt: number;
  /** Some of its prepared statements cannot be run any more. It is closed once it owes no answer. */
  isStale: boolean;
}

export interface PoolOptions {
  /** Of this pool and others to the same server. */
  connections?: Connections;
  /** The name under which a server prepares this statement, if it is worth it. */
  nameOf?: NameOf;
}

type NameOf = (text: string) => string | undefined;

/**
 * pg's pool, which also refuses work inside a transaction, prepares statements that come again, and throws
 * `database_unavailable` while the database is away, hangs or is full. When an answer is overdue, its connection is closed,
 * because the next user would wait on a dead connection. So are all `connections` that have been silent since.
 */
export function createPool(
  config: PoolConfig,
  { connections = new Map(), nameOf = () => undefined }: PoolOptions = {},
): Pool {
  const pool = new Pool({ ...config, types: { getTypeParser } });
  pool.on("connect", (client) => watchAnswers(client, connections, nameOf));
  pool.on("remove", (client) => connections.delete(client));
  pool.on("release", rollBackOpenTransaction);
  // An idle connection that drops is replaced at its next use; without a listener the event would end the process.
  pool.on("error", () => {});
  // BullMQ adds one listener for each of its queues and workers.
  pool.setMaxListeners(0);
  const connect = pool.connect.bind(pool);
  const guardedConnect = (callback?: Parameters<typeof connect>[0]) => {
    try {
      assertOutsideTransaction("the database");
    } catch (error) {
      if (!callback) return Promise.reject(error);
      return process.nextTick(callback, error, undefined, () => {});
    }
    if (!callback) {
      return connect().catch((error: unknown) => {
        throw explainUnavailable(error);
      });
    }
    return connect((error, client, done) => callback(error && explainUnavailable(error), client, done));
  };
  // The two overloads of connect (promise, callback) cannot be expressed by one function's type.
  pool.connect = guardedConnect as typeof pool.connect;
  return pool;
}

/** What pg says when `query_timeout` has passed. */
const answerOverdue = "Query read timeout";
/** One of pg's messages for lost connections: see unavailable.ts. */
const fellSilent = "Connection terminated: the server fell silent";

type Query = (...parameters: unknown[]) => unknown;
type Callback = (error: unknown, result?: unknown) => void;

/** Watches every statement of the client, by promise or by callback, and explains its failure. */
function watchAnswers(client: PoolClient, connections: Connections, nameOf: NameOf): void {
  const state: ConnectionState = { awaited: 0, answeredAt: performance.now(), isStale: false };
  connections.set(client, state);
  // A connection lost between two statements fails the next one; without a listener the event would end the process.
  client.on("error", () => {});
  const query: Query = (...parameters) =>
    // The driver's own method, called on its client.
    // oxlint-disable-next-line typescript/unbound-method
    Reflect.apply(Client.prototype.query, client, parameters);

  const watched: Query = (...parameters) => {
    const last = parameters.at(-1);
    if (typeof last !== "function") return answer(parameters);
    // pg's own type of a callback.
    const callback = last as Callback;
    void callBack(answer(parameters.slice(0, -1)), callback);
    return undefined;
  };

  async function answer(parameters: unknown[]): Promise<unknown> {
    const sentAt = performance.now();
    state.awaited += 1;
    try {
      const result = await send(parameters);
      state.answeredAt = performance.now();
      return result;
    } catch (error) {
      if (error instanceof Error && error.message === answerOverdue) {
        // Its answer may still come: nobody else must get it. A client that is ending does not go back into the pool.
        void client.end();
        closeSilent(connections, sentAt);
      } else state.answeredAt = performance.now();
      throw explainUnavailable(error);
    } finally {
      state.awaited -= 1;
      // A transaction that broke off is rolled back first: its caller gets the cause.
      const isOver = state.awaited === 0 && client.getTransactionStatus() === "I";
      if (state.isStale && isOver) void client.end();
    }
  }

  async function send(parameters: unknown[]): Promise<unknown> {
    const [text, values] = parameters;
    // Without values it may be several statements, which no name can have.
    const canHaveName = typeof text === "string" && Array.isArray(values) && values.length > 0;
    const name = canHaveName && !state.isStale ? nameOf(text) : undefined;
    if (name === undefined) return query(...parameters);
    try {
      return await query({ name, text, values });
    } catch (error) {
      if (!isOutdated(error)) throw error;
      state.isStale = true;
      // The failure broke off the transaction, if there was one. Otherwise nothing was done.
      if (client.getTransactionStatus() !== "I") throw error;
      return query(...parameters);
    }
  }

  // The overloads of query (text, configuration, callback) cannot be expressed by one function's type.
  client.query = watched as typeof client.query;
}

async function callBack(answering: Promise<unknown>, callback: Callback): Promise<void> {
  let result: unknown;
  try {
    result = await answering;
  } catch (error) {
    return callback(error);
  }
  callback(undefined, result);
}

/**
 * Whether a prepared statement cannot be run any more: its tables changed (feature_not_supported, by which PostgreSQL says
 * so too), or the server forgot it (invalid_sql_statement_name).
 */
function isOutdated(error: unknown): boolean {
  const state = sqlState(error);
  return state === "0A000" || state === "26000";
}

/**
 * Closes connections that were silent since: one that only listens would never notice that it is dead, and an idle one
 * would fail its next user. A connection that owes an answer has its own time limit.
 */
function closeSilent(connections: Connections, since: number): void {
  for (const [client, { awaited, answeredAt }] of connections) {
    // With an error, so that its pool hears of it before anybody else gets the connection.
    if (awaited === 0 && answeredAt < since) socketOf(client).destroy(new Error(fellSilent));
  }
}

function socketOf(client: PoolClient): Socket {
  // pg does not declare it.
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** A client that is given back in the middle of a transaction must not hand it to the next user. */
function rollBackOpenTransaction(destroyed: unknown, client: PoolClient): void {
  const status = client.getTransactionStatus();
  if (destroyed || status === null || status === "I") return;
  client.query("rollback").catch((failure: Error) => client.emit("error", failure));
}
