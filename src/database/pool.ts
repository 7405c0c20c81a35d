import { Client, Pool, types, type PoolClient, type PoolConfig } from "pg";
import { assertOutsideTransaction } from "./guard.ts";
import { explainUnavailable } from "./unavailable.ts";

const int8 = 20;
const int8Array = 1016;
const textArray: number = 1009;
const bytea = 17;

/**
 * A pool whose values have the same types on both engines, and that refuses work inside a transaction. A connection on
 * which an answer is overdue is closed at once, for the next user would wait behind the same silence. Throws
 * `database_unavailable` where the database is away, hangs or is full.
 */
export function createPool(config: PoolConfig): Pool {
  const pool = new Pool({ ...config, types: { getTypeParser } });
  pool.on("connect", watchAnswers);
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

/** Every statement of the client, by promise or by callback, with failures explained. */
function watchAnswers(client: PoolClient): void {
  // A connection lost between two statements fails the next one; without a listener the event would end the process.
  client.on("error", () => {});
  const query = (...parameters: unknown[]): unknown =>
    // The driver's own method, called on its client.
    // oxlint-disable-next-line typescript/unbound-method
    Reflect.apply(Client.prototype.query, client, parameters);
  const explain = (error: unknown) => {
    // Its answer may still come: nobody else must get it, or wait for it.
    if (error instanceof Error && error.message === answerOverdue) void client.end();
    return explainUnavailable(error);
  };
  const watched = (...parameters: unknown[]) => {
    const callback = parameters.at(-1);
    if (typeof callback === "function") {
      parameters[parameters.length - 1] = (error: unknown, result: unknown) =>
        callback(error ? explain(error) : error, result);
    }
    const running = query(...parameters);
    if (!(running instanceof Promise)) return running;
    return running.catch((error: unknown) => {
      throw explain(error);
    });
  };
  // The overloads of query (text, configuration, callback, stream) cannot be expressed by one function's type.
  client.query = watched as typeof client.query;
}

/** What pg says when `query_timeout` has passed. */
const answerOverdue = "Query read timeout";

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
  return Uint8Array.from(Buffer.from(text.slice(2), "hex"));
}
