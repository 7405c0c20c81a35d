// @ts-nocheck
import { Pool, types, type PoolClient, type PoolConfig } from "pg";
import { assertOutsideTransaction } from "./guard.ts";

const int8 = 20;
const int8Array = 1016;
const textArray: number = 1009;
const bytea = 17;

/** A pool whose values have the same types on both engines, and that refuses work inside a transaction. */
export function createPool(config: PoolConfig): Pool {
  const pool = new Pool({ ...config, types: { getTypeParser } });
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
    return callback ? connect(callback) : connect();
  };
  // The two overloads of connect (promise, callback) cannot be expressed by one function's type.
  pool.connect = guardedConnect as typeof pool.connect;
  pool.on("release", rollBackOpenTransaction);
  // An idle connection that drops is replaced at its next use; without a listener the event would end the process.
  pool.on("error", () => {});
  return pool;
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
