import { EventEmitter } from "node:events";
import type { PgPool } from "bullmq";
import type { Database } from "../database/database.ts";

type Pool = Database["pool"];
type QueueClient = Awaited<ReturnType<PgPool["connect"]>>;
type Query = QueueClient["query"];

/** The channel on which BullMQ announces jobs, with the queue's name. */
const channel = "bullmq_jobs";
/** Milliseconds between polls for jobs if notifications are impossible. */
const lookEvery = 1_000;

/**
 * The pool for BullMQ. Each of its workers wants a connection only for LISTEN; here all of a process's workers share
 * one. LISTEN and session settings do not work through a pooler: there, one statement a second polls for the jobs of
 * all queues, and each of BullMQ's statements, which name no schema, runs in a transaction that sets it.
 */
export function createListeningPool({
  pool,
  pooled,
}: Pick<Database, "pool" | "pooled">): PgPool & { close: () => void } {
  const query = pooled ? queryInSchema(pool) : (pool.query.bind(pool) as Query); // differs in overloads that BullMQ never calls
  const listener = new SharedListener((events) =>
    pooled ? lookForJobs(pool, events) : listen(pool, events),
  );
  // Each queue and worker adds error listeners, which exceeds Node's limit against leaks.
  return Object.assign(new EventEmitter().setMaxListeners(0), {
    query,
    connect: async () => new ListeningClient(query, listener),
    end: () => pool.end(),
    /** Releases the connection, even if BullMQ has not released every worker's part of it. */
    close: () => listener.end(),
    // BullMQ checks that lost connections are noticed.
    options: { keepAlive: true },
  });
}

interface Events {
  announce: (message: { channel: string; payload?: string | undefined }) => void;
  fail: (error: Error) => void;
}

/** One worker's part of the listener: BullMQ listens on it for `notification` and `error`. */
class ListeningClient extends EventEmitter implements QueueClient {
  readonly query: Query;
  readonly #listener: SharedListener;
  #isReleased = false;

  constructor(query: Query, listener: SharedListener) {
    super();
    this.#listener = listener;
    this.query = async (text: string, values?: readonly unknown[]) => {
      // Any free connection may run the statement, so naming one is useless.
      if (text.includes("set_config('application_name'")) return { rows: [] };
      if (!text.includes(`LISTEN ${channel}`)) return query(text, values);
      // BullMQ may send it while closing, and would never end a listener started then.
      if (!this.#isReleased) await listener.add(this);
      return { rows: [] };
    };
  }

  release(): void {
    this.#isReleased = true;
    this.#listener.remove(this);
  }
}

/** Listens while at least one worker wants to. */
class SharedListener {
  readonly #begin: (events: Events) => Promise<() => void>;
  readonly #clients = new Set<ListeningClient>();
  #listening: Promise<() => void> | undefined;
  #isOver = false;

  constructor(begin: (events: Events) => Promise<() => void>) {
    this.#begin = begin;
  }

  async add(client: ListeningClient): Promise<void> {
    if (this.#isOver) return;
    this.#clients.add(client);
    this.#listening ??= this.#open();
    await this.#listening;
  }

  end(): void {
    this.#isOver = true;
    this.#clients.clear();
    this.#close();
  }

  remove(client: ListeningClient): void {
    this.#clients.delete(client);
    if (this.#clients.size === 0) this.#close();
  }

  #open(): Promise<() => void> {
    const listening = this.#begin({
      announce: (message) => {
        for (const client of this.#clients) client.emit("notification", message);
      },
      fail: (error) => {
        if (this.#listening !== listening) return;
        this.#close();
        // Each worker listens again, on the new connection.
        for (const client of this.#clients) client.emit("error", error);
      },
    });
    listening.catch(() => {
      if (this.#listening === listening) this.#listening = undefined;
    });
    return listening;
  }

  #close(): void {
    void this.#listening?.then((end) => end()).catch(() => {});
    this.#listening = undefined;
  }
}

async function listen(pool: Pool, { announce, fail }: Events): Promise<() => void> {
  const client = await pool.connect();
  try {
    client.on("notification", announce);
    client.on("error", fail);
    await client.query(`listen ${channel}`);
  } catch (error) {
    client.release(true);
    throw error;
  }
  return () => {
    client.off("notification", announce);
    client.off("error", fail);
    // Closed, because the connection's next user would listen, too.
    client.release(true);
  };
}

async function lookForJobs(pool: Pool, { announce }: Events): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async () => {
    // The database's other users report why it does not respond.
    const found = await pool
      .query<{ queue: string }>("select distinct queue from bullmq.job where state = 'waiting'")
      .catch(() => ({ rows: [] }));
    if (isOver) return;
    for (const { queue } of found.rows) announce({ channel, payload: queue });
    timer = setTimeout(() => void look(), lookEvery).unref();
  };
  timer = setTimeout(() => void look(), lookEvery).unref();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** BullMQ's functions know their schema, but its calls and reads of tables do not. */
function queryInSchema(pool: Pool): Query {
  const query = async (text: string, values?: readonly unknown[]) => {
    const client = await pool.connect();
    try {
      await client.query("begin; set local search_path to bullmq, public");
      const result = await client.query(text, values && [...values]);
      await client.query("commit");
      return result;
    } finally {
      // Releasing the client rolls back a failed transaction.
      client.release();
    }
  };
  return query as Query; // the caller names the type of the rows
}
