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
  /** The server's limits for a statement, and for a transaction without activity. */
  statement: number;
  idleTransaction: number;
  /** After this a response is overdue, because the server would have reported that it cancelled the statement. */
  answer: number;
  connection: number;
}

/**
 * If a transaction's connection goes silent, the server must end it, to release its locks, before statements that wait
 * for them time out.
 */
export const defaultTimeouts: Timeouts = {
  statement: 15_000,
  idleTransaction: 10_000,
  answer: 20_000,
  connection: 10_000,
};

export interface ServerOptions {
  timeouts?: Timeouts;
  /** Whether repeated statements are prepared on the server. */
  prepares?: boolean;
  /** For a pooler that gives each transaction another connection: no prepared statements and no session settings. */
  pooled?: boolean;
  /** Maximum connections for statements, and for queues. */
  connections?: { statements: number; queue: number };
}

/** For migrations, dumps and other one-off work, whose statements take time in proportion to the data. */
export const unlimited: ServerOptions = {
  timeouts: { statement: 0, idleTransaction: 0, answer: 0, connection: 10_000 },
  prepares: false,
};

/** In seconds: the server ends connections of vanished clients within a minute. */
const keepAlive = "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

/** Default per process: seven processes fit a server's default of a hundred connections. */
export const usualConnections = { statements: 10, queue: 3 };

/** Connects to a Postgres server, 15 or later. The first statement opens the first connection. */
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
  // Two pools, so that queues and statements do not wait for each other.
  const statements = createPool({ ...config, max: connections.statements }, shared);
  const queue = createPool({ ...config, max: connections.queue }, shared);
  const close = async () => {
    await Promise.all([statements.end(), queue.end()]);
  };
  return assembleDatabase({ engine: "server", pools: { statements, queue }, pooled, close });
}

/** Session parameters of a new connection, which a pooler would reject. */
function parametersOf(timeouts: Timeouts): PoolConfig {
  return {
    // Visible in pg_stat_activity, where doctor counts the processes.
    application_name: `castellan ${process.pid} ${hostname()}`.slice(0, 63),
    // BullMQ's statements are not schema-qualified; ours always are. Compiling a statement (jit) takes a hundred times
    // longer than running one of ours, but the planner chooses it until it has statistics about the tables.
    options: `-c search_path=bullmq,public -c jit=off ${keepAlive}`,
    // Zero means no limit, both for the server and for pg.
    statement_timeout: timeouts.statement,
    idle_in_transaction_session_timeout: timeouts.idleTransaction,
  };
}

export interface DirectoryOptions extends ThreadOptions {
  readFree?: ReadFreeSpace;
  /** Milliseconds between checks for tables to vacuum. */
  vacuumEvery?: number;
}

/**
 * Opens the embedded Postgres in a data directory, which is created at the first start and locked: throws
 * `directory_in_use` while another process has it, and `database_unavailable` if it cannot be opened. Read-only while
 * the disk is nearly full.
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

/** Milliseconds to wait when closing until clients are returned. */
const closingTimeoutMs = 2_000;

/** Connects pg's driver to an embedded engine, which is closed with the database. */
export function connectEngine(engine: Engine, options: { waitLimit?: number } = {}): Database {
  const session = new Session(withPreparedStatements(engine), options.waitLimit ?? 15_000);
  // Connections are free here: each is a Duplex, and the session serves one at a time anyway.
  const pool = createPool({
    stream: () => new SessionSocket(session),
    max: 1000,
    keepAlive: true,
    user: "postgres",
  });
  const close = async () => {
    // A client that is never returned must not keep the engine from flushing its data.
    await withTimeout(pool.end(), closingTimeoutMs, () => {});
    await engine.close();
  };
  return assembleDatabase({ engine: "embedded", pools: { statements: pool }, pooled: false, close });
}

/** The engine has one session, so this applies to all clients, from their next transaction. */
async function setReadOnly(database: Database, isReadOnly: boolean): Promise<void> {
  await database.pool.query(`set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`);
}

interface Parts {
  engine: Database["engine"];
  /** Without a pool of their own, the queues share the one for statements. */
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
