import { EventEmitter } from "node:events";
import type { PgPool } from "bullmq";
import type { Database } from "../database/database.ts";

type Pool = Database["pool"];
type QueueClient = Awaited<ReturnType<PgPool["connect"]>>;
type Query = QueueClient["query"];

/** On which BullMQ announces jobs, with the queue's name. */
const channel = "bullmq_jobs";
/** Milliseconds between two looks for jobs where nobody can be notified of them. */
const lookEvery = 1_000;

/**
 * What BullMQ takes as a pool. Each of its workers wants a connection for LISTEN alone; here all of a process share one.
 * Through a pooler nobody can listen, and what is set on a connection does not last: there one statement a second looks for
 * the jobs of all queues, and BullMQ's statements, which name no schema, each have a transaction that does.
 */
export function createListeningPool({
  pool,
  pooled,
}: Pick<Database, "pool" | "pooled">): PgPool & { close: () => void } {
  const query = pooled ? queryInSchema(pool) : (pool.query.bind(pool) as Query); // differs in overloads that BullMQ never calls
  const listener = new SharedListener((events) =>
    pooled ? lookForJobs(pool, events) : listen(pool, events),
  );
  // Each queue and worker listens for errors: more than Node's limit, which is for leaks.
  return Object.assign(new EventEmitter().setMaxListeners(0), {
    query,
    connect: async () => new ListeningClient(query, listener),
    end: () => pool.end(),
    /** Gives the connection back, whether or not BullMQ gives back each worker's part of it. */
    close: () => listener.end(),
    // BullMQ asks whether a connection that is lost is noticed.
    options: { keepAlive: true },
  });
}

interface Events {
  announce: (message: { channel: string; payload?: string | undefined }) => void;
  fail: (error: Error) => void;
}

/** One worker's part of the listener: BullMQ waits for `notification` on it, and for `error`. */
class ListeningClient extends EventEmitter implements QueueClient {
  readonly query: Query;
  readonly #listener: SharedListener;
  #isReleased = false;

  constructor(query: Query, listener: SharedListener) {
    super();
    this.#listener = listener;
    this.query = async (text: string, values?: readonly unknown[]) => {
      // A name would be that of whichever connection is free.
      if (text.includes("set_config('application_name'")) return { rows: [] };
      if (!text.includes(`LISTEN ${channel}`)) return query(text, values);
      // BullMQ may ask for it while it closes: nobody would end what is begun then.
      if (!this.#isReleased) await listener.add(this);
      return { rows: [] };
    };
  }

  release(): void {
    this.#isReleased = true;
    this.#listener.remove(this);
  }
}

/** Listens while at least one worker wants it to. */
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
        // Each asks again, and hears from the new connection.
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
    // Closed: whoever had it next would listen, too.
    client.release(true);
  };
}

async function lookForJobs(pool: Pool, { announce }: Events): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async () => {
    // Who else asks the database reports why it does not answer.
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

/** BullMQ's functions know their schema, but what calls them, and reads tables, does not. */
function queryInSchema(pool: Pool): Query {
  const query = async (text: string, values?: readonly unknown[]) => {
    const client = await pool.connect();
    try {
      await client.query("begin; set local search_path to bullmq, public");
      const result = await client.query(text, values && [...values]);
      await client.query("commit");
      return result;
    } finally {
      // A transaction that failed is rolled back as it is given back.
      client.release();
    }
  };
  return query as Query; // whose rows have the type that the caller names
}
