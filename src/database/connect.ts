import { Kysely, PostgresDialect } from "kysely";
import type { Pool, PoolConfig } from "pg";
import type { Database } from "./database.ts";
import { createPool } from "./pool.ts";
import { Session, type Engine } from "./embedded/session.ts";
import { SessionSocket } from "./embedded/socket.ts";
import type { Tables } from "./tables/index.ts";
import { runTransaction } from "./transactions.ts";

/** BullMQ's statements are not schema-qualified; ours always are. */
export const searchPath = "bullmq,public";

/** Milliseconds that a statement on the embedded engine waits for another's transaction. */
const waitLimit = 15_000;

/** Connects to a Postgres server, 15 or later. Opens no connection until the first statement. */
export function connectServer(url: string): Database {
  // Two pools, so that the connections BullMQ's workers keep for LISTEN never starve the statements.
  const common: PoolConfig = {
    connectionString: url,
    options: `-c search_path=${searchPath}`,
    connectionTimeoutMillis: 15_000,
    keepAlive: true,
  };
  const statements = createPool({ ...common, max: 10 });
  const queue = createPool({ ...common, max: 30 });
  return assemble("server", statements, queue, async () => {
    await Promise.all([statements.end(), queue.end()]);
  });
}

/** Puts the same driver on an embedded engine. The engine is closed with the database. */
export function connectEngine(engine: Engine, options: { waitLimit?: number } = {}): Database {
  const session = new Session(engine, options.waitLimit ?? waitLimit);
  // Connections cost nothing here: each is a Duplex, and the session serves one at a time anyway.
  const pool = createPool({
    stream: () => new SessionSocket(session),
    max: 1000,
    keepAlive: true,
    user: "postgres",
  });
  return assemble("embedded", pool, pool, async () => {
    await pool.end();
    await engine.close();
  });
}

function assemble(
  engine: Database["engine"],
  statements: Pool,
  queue: Pool,
  close: () => Promise<void>,
): Database {
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: statements }) });
  return { engine, query, transaction: (work) => runTransaction(query, work), pool: queue, close };
}
