import type { Pool, PoolClient, QueryResult } from "pg";
import { answerOverdue, socketOf } from "./pool.ts";
import { assertOutsideTransaction, sqlState } from "./transactions.ts";

/** Reads that one connection is sent before it has answered the first of them. */
const deepest = 16;

interface Shared {
  client: PoolClient;
  /** Reads that it has not answered yet. */
  awaited: number;
  /** Whether what is sent waits for the end of this turn of the event loop. */
  isGathering: boolean;
}

/**
 * Connections that many reads share: each is sent before those ahead of it are answered, and all that come in one turn of
 * the event loop are sent at once. To wake a process of the server, and to be woken by it, takes longer than to find a row.
 * Only for reads that are as quick as that: what is slow, or waits for a lock, holds up those behind it.
 */
export class SharedConnections {
  readonly #pool: Pool;
  readonly #open = new Set<Shared>();
  #isOpening = false;
  #isEnding = false;

  /** Takes the pool's connections as they are needed, and keeps them. They must pipeline. */
  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Undefined where it is to be sent over a connection of its own: none is open yet, or all have enough to answer, or it
   * failed, which may be due to the connection or to what others sent.
   */
  async read<Row extends object>(text: string, values: unknown[]): Promise<QueryResult<Row> | undefined> {
    assertOutsideTransaction("the database");
    const shared = this.#findFree();
    if (!shared) return undefined;
    gather(shared);
    shared.awaited += 1;
    try {
      return await shared.client.query<Row>(text, values);
    } catch (error) {
      this.#drop(shared);
      if (isOverdue(error)) throw error;
      return undefined;
    } finally {
      shared.awaited -= 1;
    }
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    for (const shared of this.#open) this.#drop(shared);
    await this.#pool.end();
  }

  /** The first that has room: the fewer are used, the more is sent at once. */
  #findFree(): Shared | undefined {
    for (const shared of this.#open) if (shared.awaited < deepest) return shared;
    void this.#openAnother();
    return undefined;
  }

  async #openAnother(): Promise<void> {
    if (this.#isOpening || this.#isEnding || this.#open.size === this.#pool.options.max) return;
    this.#isOpening = true;
    try {
      const client = await this.#pool.connect();
      const shared = { client, awaited: 0, isGathering: false };
      this.#open.add(shared);
      if (this.#isEnding) this.#drop(shared);
    } catch {
      // Whoever needs the server asks it over another connection, and hears why it does not answer.
    } finally {
      this.#isOpening = false;
    }
  }

  /** What it was sent already may still be answered; it is sent nothing more. */
  #drop(shared: Shared): void {
    if (this.#open.delete(shared)) shared.client.release(true);
  }
}

/** Whatever else comes in this turn of the event loop goes with it. */
function gather(shared: Shared): void {
  if (shared.isGathering) return;
  shared.isGathering = true;
  const socket = socketOf(shared.client);
  socket.cork();
  setImmediate(() => {
    shared.isGathering = false;
    socket.uncork();
  });
}

/** Whether a statement had all the time that it may take. */
function isOverdue(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return sqlState(cause) === "57014" || (cause instanceof Error && cause.message === answerOverdue);
}
