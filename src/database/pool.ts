import type { Socket } from "node:net";
import { Client, Pool, types, type PoolClient, type PoolConfig } from "pg";
import { assertOutsideTransaction, sqlState } from "./transactions.ts";
import { explainUnavailable } from "./unavailable.ts";

const int8 = 20;
const int8Array = 1016;
const textArray: number = 1009;
const bytea = 17;

export interface PoolOptions {
  /** Of this pool and others to the same server. */
  connections?: Connections;
  /** The name under which a server keeps a statement with this text, if it is to keep it. */
  nameOf?: (text: string) => string | undefined;
}

/**
 * A pool whose values have the same types on both engines, and that refuses work inside a transaction. A connection on
 * which an answer is overdue is closed at once, for the next user would wait behind the same silence; so are all other
 * `connections`. Throws `database_unavailable` where the database is away, hangs or is full.
 */
export function createPool(config: PoolConfig, options: PoolOptions = {}): Pool {
  const { connections = new Map(), nameOf = () => undefined } = options;
  const pool = new Pool({ ...config, types: { getTypeParser } });
  pool.on("connect", (client) => watchAnswers(client, connections, nameOf));
  pool.on("remove", (client) => connections.delete(client));
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
    if (!callback) return connect().catch(throwExplained);
    return connect((error, client, done) =>
      callback(error && asError(explainUnavailable(error)), client, done),
    );
  };
  // The two overloads of connect (promise, callback) cannot be expressed by one function's type.
  pool.connect = guardedConnect as typeof pool.connect;
  pool.on("release", rollBackOpenTransaction);
  // An idle connection that drops is replaced at its next use; without a listener the event would end the process.
  pool.on("error", () => {});
  return pool;
}

/** Explained as pg's own words for connections that are lost. */
const fellSilent = "Connection terminated: the server fell silent";

/** How many answers a connection owes, and when it gave the last one (`performance.now()`). */
interface Hearing {
  awaited: number;
  heardAt: number;
}

export type Connections = Map<PoolClient, Hearing>;

/**
 * The server has not been heard since `askedAt`: what only listens would never find out, and what waits for its next
 * user would fail it. What owes an answer has a limit of its own.
 */
function closeSilent(others: Connections, askedAt: number): void {
  for (const [client, { awaited, heardAt }] of others) {
    // With an error, of which its pool hears before anybody else is given the connection.
    if (awaited === 0 && heardAt < askedAt) socketOf(client).destroy(new Error(fellSilent));
  }
}

/** Closed this way, a connection says so to whoever has it; `end` would wait for the server to agree. */
export function socketOf(client: PoolClient): Socket {
  // pg declares no way to it.
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Every statement of the client, by promise or by callback, named where it comes again, with failures explained. */
function watchAnswers(
  client: PoolClient,
  others: Connections,
  nameOf: NonNullable<PoolOptions["nameOf"]>,
): void {
  const hearing: Hearing = { awaited: 0, heardAt: performance.now() };
  others.set(client, hearing);
  let isEnding = false;
  /** What it has prepared cannot be run any more: it serves, without names, until it owes no answer. */
  let isStale = false;
  const end = () => {
    if (!isEnding) void client.end();
    isEnding = true;
  };
  // A connection lost between two statements fails the next one; without a listener the event would end the process.
  client.on("error", () => {});
  const query = (...parameters: unknown[]): unknown =>
    // The driver's own method, called on its client.
    // oxlint-disable-next-line typescript/unbound-method
    Reflect.apply(Client.prototype.query, client, parameters);
  const watched = (...parameters: unknown[]) => {
    const askedAt = performance.now();
    hearing.awaited += 1;
    const settle = (error?: unknown) => {
      hearing.awaited -= 1;
      if (error instanceof Error && error.message === answerOverdue) {
        // Its answer may still come: nobody else must get it, or wait for it.
        end();
        closeSilent(others, askedAt);
        return explainUnavailable(error);
      }
      hearing.heardAt = performance.now();
      // The next connection prepares its statements anew.
      if (isOutdated(error)) isStale = true;
      if (isStale && hearing.awaited === 0) end();
      return error && explainUnavailable(error);
    };
    const [text, values] = parameters;
    // Without values it may be several statements, which no name can have.
    const hasValues = Array.isArray(values) && values.length > 0;
    const name = typeof text === "string" && hasValues && !isStale ? nameOf(text) : undefined;
    if (name !== undefined) parameters.splice(0, 2, { name, text, values });
    // A transaction is broken off by the failure; outside of one nothing was done, and the same is asked without a name.
    const mayAskAgain = (error: unknown) =>
      name !== undefined && isOutdated(error) && client.getTransactionStatus() === "I";
    const callback = parameters.at(-1);
    if (typeof callback === "function") {
      const answer = (error: unknown, result: unknown) => callback(settle(error), result);
      parameters[parameters.length - 1] = (error: unknown, result: unknown) => {
        if (!mayAskAgain(error)) return answer(error, result);
        isStale = true;
        return query({ text, values }, answer);
      };
      return query(...parameters);
    }
    const running = query(...parameters);
    if (!(running instanceof Promise)) return running;
    return running.then(
      (result: unknown) => {
        settle();
        return result;
      },
      async (error: unknown) => {
        if (!mayAskAgain(error)) throw settle(error);
        isStale = true;
        const again = Promise.resolve(query({ text, values }));
        return again.then(
          (result: unknown) => {
            settle();
            return result;
          },
          (failure: unknown) => {
            throw settle(failure);
          },
        );
      },
    );
  };
  // The overloads of query (text, configuration, callback, stream) cannot be expressed by one function's type.
  client.query = watched as typeof client.query;
}

/**
 * Whether a statement that was prepared cannot be run so any more: its tables changed (feature_not_supported, by which
 * PostgreSQL says so too), or the server forgot it (invalid_sql_statement_name).
 */
function isOutdated(error: unknown): boolean {
  const state = sqlState(error);
  return state === "0A000" || state === "26000";
}

/** What pg says when `query_timeout` has passed. */
export const answerOverdue = "Query read timeout";

function throwExplained(error: unknown): never {
  throw explainUnavailable(error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** A client that is given back in the middle of a transaction must not hand it to the next user. */
function rollBackOpenTransaction(destroyed: unknown, client: PoolClient): void {
  const status = client.getTransactionStatus();
  if (destroyed || status === null || status === "I") return;
  client.query("rollback").catch((failure: Error) => client.emit("error", failure));
}

function getTypeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  if (format === "binary") return types.getTypeParser(oid, "binary");
  if (oid === int8) return parseInteger;
  if (oid === int8Array) return parseIntegers;
  if (oid === bytea) return parseBytes;
  return types.getTypeParser(oid, "text");
}

/** A number, or a BigInt where a number would lose digits. */
function parseInteger(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function parseIntegers(text: string): (number | bigint | null)[] {
  // pg's own parser of text[] gives the elements as text, or null.
  const elements = types.getTypeParser(textArray, "text")(text) as (string | null)[];
  return elements.map((element) => (element === null ? null : parseInteger(element)));
}

function parseBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), "hex"));
}
