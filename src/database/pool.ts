import type { Socket } from "node:net";
import { Client, Pool, type PoolClient, type PoolConfig } from "pg";
import { assertOutsideTransaction, sqlState } from "./transactions.ts";
import { explainUnavailable } from "./unavailable.ts";
import { getTypeParser } from "./value-types.ts";

/** The open connections of all pools to one server. */
export type Connections = Map<PoolClient, ConnectionState>;

interface ConnectionState {
  /** Number of responses that the server still has to send. */
  awaited: number;
  /** Time of the last response (`performance.now()`). */
  answeredAt: number;
  /** Some of its prepared statements are no longer valid. It is closed when all responses have arrived. */
  isStale: boolean;
}

export interface PoolOptions {
  /** Shared with other pools to the same server. */
  connections?: Connections;
  /** The name for preparing this statement, if that is worthwhile. */
  nameOf?: NameOf;
}

type NameOf = (text: string) => string | undefined;

/**
 * pg's pool, but it rejects work inside a transaction, prepares repeated statements, and throws `database_unavailable`
 * while the database is down, hangs or is full. A connection with an overdue response is closed, because its next user
 * would wait for nothing; so are all `connections` that have been silent since.
 */
export function createPool(
  config: PoolConfig,
  { connections = new Map(), nameOf = () => undefined }: PoolOptions = {},
): Pool {
  const pool = new Pool({ ...config, types: { getTypeParser } });
  pool.on("connect", (client) => watchAnswers(client, connections, nameOf));
  pool.on("remove", (client) => connections.delete(client));
  pool.on("release", rollBackOpenTransaction);
  // A dropped idle connection is replaced at the next use; without a listener the event would end the process.
  pool.on("error", () => {});
  // BullMQ adds one listener per queue and worker.
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
  // One function's type cannot express connect's two overloads (promise, callback).
  pool.connect = guardedConnect as typeof pool.connect;
  return pool;
}

/** pg's message when `query_timeout` has passed. */
const answerOverdue = "Query read timeout";
/** One of pg's messages for lost connections: see unavailable.ts. */
const fellSilent = "Connection terminated: the server fell silent";

type Query = (...parameters: unknown[]) => unknown;
type Callback = (error: unknown, result?: unknown) => void;

/** Intercepts every statement of the client, with promise or callback, and explains its failure. */
function watchAnswers(client: PoolClient, connections: Connections, nameOf: NameOf): void {
  const state: ConnectionState = { awaited: 0, answeredAt: performance.now(), isStale: false };
  connections.set(client, state);
  // The next statement fails if the connection was lost in between; without a listener the event would end the process.
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
        // Its response may still arrive, so nobody else can use it. A client that is ending does not return to the pool.
        void client.end();
        closeSilent(connections, sentAt);
      } else state.answeredAt = performance.now();
      throw explainUnavailable(error);
    } finally {
      state.awaited -= 1;
      // A broken transaction is rolled back first; its caller gets the cause.
      const isOver = state.awaited === 0 && client.getTransactionStatus() === "I";
      if (state.isStale && isOver) void client.end();
    }
  }

  async function send(parameters: unknown[]): Promise<unknown> {
    const [text, values] = parameters;
    // Without values it may be several statements, which cannot be prepared.
    const canHaveName = typeof text === "string" && Array.isArray(values) && values.length > 0;
    const name = canHaveName && !state.isStale ? nameOf(text) : undefined;
    if (name === undefined) return query(...parameters);
    try {
      return await query({ name, text, values });
    } catch (error) {
      if (!isOutdated(error)) throw error;
      state.isStale = true;
      // A transaction was ended by the failure. Otherwise nothing was done.
      if (client.getTransactionStatus() !== "I") throw error;
      return query(...parameters);
    }
  }

  // One function's type cannot express query's overloads (text, configuration, callback).
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
 * Whether a prepared statement is no longer valid: its tables changed (PostgreSQL reports feature_not_supported), or
 * the server forgot it (invalid_sql_statement_name).
 */
function isOutdated(error: unknown): boolean {
  const state = sqlState(error);
  return state === "0A000" || state === "26000";
}

/**
 * Closes connections that have been silent since: one that only listens would never notice that it is dead, and an idle
 * one would fail its next user. A connection with an outstanding response has its own timeout.
 */
function closeSilent(connections: Connections, since: number): void {
  for (const [client, { awaited, answeredAt }] of connections) {
    // With an error, so that its pool removes it before another user gets it.
    if (awaited === 0 && answeredAt < since) socketOf(client).destroy(new Error(fellSilent));
  }
}

function socketOf(client: PoolClient): Socket {
  // pg does not declare it.
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** A client returned in the middle of a transaction must not be used again. */
function rollBackOpenTransaction(destroyed: unknown, client: PoolClient): void {
  const status = client.getTransactionStatus();
  if (destroyed || status === null || status === "I") return;
  client.query("rollback").catch((failure: Error) => client.emit("error", failure));
}
