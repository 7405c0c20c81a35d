import { hostname } from "node:os";
import { Kysely, PostgresDialect } from "kysely";
import type { Pool, PoolConfig } from "pg";
import { withTimeout } from "../async.ts";
import type { Database } from "./database.ts";
import { beginBackup, releaseReservedLog } from "./embedded/online-backup.ts";
import { lockDirectory } from "./embedded/directory-lock.ts";
import { findFiles, openFiles, prepareDirectory } from "./embedded/files.ts";
import { watchFreeSpace, type ReadFreeSpace } from "./embedded/free-space.ts";
import { Session, type Engine } from "./embedded/session.ts";
import { SessionSocket } from "./embedded/socket.ts";
import { withPreparedStatements } from "./embedded/statements.ts";
import type { ThreadOptions } from "./embedded/thread-engine.ts";
import { startVacuuming } from "./embedded/vacuum.ts";
import { createPool } from "./pool.ts";
import { createStatementNames } from "./statement-names.ts";
import type { Tables } from "./tables/index.ts";
import { createTransaction } from "./transactions.ts";

/** Milliseconds. */
export interface Timeouts {
  /** What the server gives one statement, and a transaction that nobody goes on with. */
  statement: number;
  idleTransaction: number;
  /** When an answer is overdue: the server would have said by then that it broke the statement off. */
  answer: number;
  connection: number;
}

/**
 * A transaction whose connection fell silent keeps its locks until the server ends it: that must come before the
 * statements that wait for them run out of time.
 */
export const defaultTimeouts: Timeouts = {
  statement: 15_000,
  idleTransaction: 10_000,
  answer: 20_000,
  connection: 10_000,
};

export interface ServerOptions {
  timeouts?: Timeouts;
  /** Whether the server prepares statements that come again. */
  prepares?: boolean;
  /** Through a pooler that gives each transaction another connection: nothing is prepared on one, and nothing set. */
  pooled?: boolean;
  /** The most connections for statements, and for queues. */
  connections?: { statements: number; queue: number };
}

/** For migrations, dumps and the like, whose statements take as long as there is data, and come once. */
export const unlimited: ServerOptions = {
  timeouts: { statement: 0, idleTransaction: 0, answer: 0, connection: 10_000 },
  prepares: false,
};

/** In seconds: within a minute the server ends connections whose client is gone without a word. */
const keepAlive = "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

/** Of each process unless set otherwise: seven processes fit the hundred connections that a server has unless set otherwise. */
export const usualConnections = { statements: 10, queue: 3 };

/** Connects to a Postgres server, 15 or later. Opens no connection until the first statement. */
export function connectServer(
  url: string,
  {
    timeouts = defaultTimeouts,
    pooled = false,
    prepares = !pooled,
    connections = usualConnections,
  }: ServerOptions = {},
): Database {
  const config: PoolConfig = {
    connectionString: url,
    connectionTimeoutMillis: timeouts.connection,
    query_timeout: timeouts.answer,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(pooled ? {} : parametersOf(timeouts)),
  };
  const shared = { connections: new Map(), ...(prepares && { nameOf: createStatementNames() }) };
  // Two pools, so that neither queues nor statements wait for the other's.
  const statements = createPool({ ...config, max: connections.statements }, shared);
  const queue = createPool({ ...config, max: connections.queue }, shared);
  const close = async () => {
    await Promise.all([statements.end(), queue.end()]);
  };
  return assembleDatabase({ engine: "server", pools: { statements, queue }, pooled, close });
}

/** What a connection is asked for as it begins, which a pooler refuses. */
function parametersOf(timeouts: Timeouts): PoolConfig {
  return {
    // Seen in pg_stat_activity; doctor counts the processes by it.
    application_name: `castellan ${process.pid} ${hostname()}`.slice(0, 63),
    // BullMQ's statements are not schema-qualified; ours always are. Compiling a statement (jit) takes a hundred times
    // longer than running one of ours, and the planner asks for it as long as it knows nothing of the tables.
    options: `-c search_path=bullmq,public -c jit=off ${keepAlive}`,
    // Zero means no limit, to the server and to pg.
    statement_timeout: timeouts.statement,
    idle_in_transaction_session_timeout: timeouts.idleTransaction,
  };
}

export interface DirectoryOptions extends ThreadOptions {
  readFree?: ReadFreeSpace;
  /** Milliseconds between two looks at what has to be vacuumed. */
  vacuumEvery?: number;
}

/**
 * Opens the embedded Postgres in a data directory, which it makes at the first start and keeps to itself: throws
 * `directory_in_use` while another process has it, and `database_unavailable` where it cannot be opened. While its disk
 * is nearly full it is only read.
 */
export async function connectDirectory(
  directory: string,
  { readFree, vacuumEvery, ...options }: DirectoryOptions = {},
): Promise<Database> {
  await prepareDirectory(directory);
  const unlock = await lockDirectory(directory);
  try {
    const place = await findFiles(directory, readFree);
    const { files } = place;
    const database = connectEngine(await openFiles(place, options));
    await releaseReservedLog(database.query, files);
    const space = watchFreeSpace(directory, (isShort) => setReadOnly(database, isShort), readFree);
    const vacuuming = startVacuuming(database.query, () => space.trouble() !== undefined, vacuumEvery);
    const close = async () => {
      space.stop();
      await vacuuming.stop();
      await database.close();
      await unlock();
    };
    return {
      ...database,
      trouble: () => space.trouble() ?? vacuuming.trouble(),
      close,
      backUp: (under) => beginBackup(database.query, files, under),
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Milliseconds that closing waits for clients to be given back. */
const closingTimeoutMs = 2_000;

/** Puts pg's own driver on an embedded engine, which is closed with the database. */
export function connectEngine(engine: Engine, options: { waitLimit?: number } = {}): Database {
  const session = new Session(withPreparedStatements(engine), options.waitLimit ?? 15_000);
  // Connections cost nothing here: each is a Duplex, and the session serves one at a time anyway.
  const pool = createPool({
    stream: () => new SessionSocket(session),
    max: 1000,
    keepAlive: true,
    user: "postgres",
  });
  const close = async () => {
    // A client that nobody gives back must not keep the engine from writing out what it has.
    await withTimeout(pool.end(), closingTimeoutMs, () => {});
    await engine.close();
  };
  return assembleDatabase({ engine: "embedded", pools: { statements: pool }, pooled: false, close });
}

/** The engine has one session, so this holds for everybody, from their next transaction on. */
async function setReadOnly(database: Database, isReadOnly: boolean): Promise<void> {
  await database.pool.query(`set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`);
}

interface Parts {
  engine: Database["engine"];
  /** The queues share the statements' where they have none of their own. */
  pools: { statements: Pool; queue?: Pool };
  pooled: boolean;
  close: () => Promise<void>;
}

function assembleDatabase({ engine, pools, pooled, close }: Parts): Database {
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pools.statements }) });
  return {
    engine,
    query,
    transaction: createTransaction(query),
    pool: pools.queue ?? pools.statements,
    pools,
    pooled,
    trouble: () => undefined,
    close,
  };
}
