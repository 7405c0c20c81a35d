import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { AppError, explainCertificateError } from "../errors.ts";
import type { Database, Queryable, Tx } from "./database.ts";
import { migrations, usableFrom, type Migration } from "./migrations/index.ts";
import { sqlState } from "./transactions.ts";
import { isLockedByOthers } from "./unavailable.ts";

const ledger = `
create schema if not exists network;
create schema if not exists castellan;
create table if not exists castellan.migrations (
  name text primary key,
  applied_at timestamptz not null default now()
);
`;

export const baseline = "0200-baseline";

/** The last single step before the baseline; its schema equals the baseline's. */
export const bridge = "0200-standard-names";

/** What to do with data from versions before the bridge. */
const throughBridge = "Start the version tagged bridge-0200 on it once, then this one.";

export const isBeforeBridge = (names: readonly string[]): boolean =>
  names.some((name) => name < "0200") && !names.includes(bridge);

/** "if not exists" does not protect from a second process that creates the same object at the same moment. */
const createdMeanwhile = new Set(["23505", "42P06", "42P07"]);

/**
 * A migration that waits for a table also holds up everybody who comes after it. So it waits no longer than this, and all
 * of it is tried again later. Milliseconds; longer than PostgreSQL needs to cancel an autovacuum that is in the way.
 */
const lockTimeoutMs = 3_000;
const retryAfterMs = 2_000;
/** About ten minutes. */
const maxAttempts = 120;

export interface MigrateOptions {
  /** Called after each attempt that failed because others use the tables. */
  onBusy?: ((message: string) => void) | undefined;
}

/**
 * Brings the schemas network and castellan up to date, completely or not at all, and returns the names of the applied
 * migrations. If several processes start at once, one migrates and the others wait. A database that a newer version only
 * added to stays as it is. Throws `database_unavailable`.
 */
export async function migrate(
  database: Database,
  list: Record<string, Migration> = migrations,
  { onBusy = () => {} }: MigrateOptions = {},
): Promise<string[]> {
  if (await isAsListed(database, list)) return [];
  await createLedger(database);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrateOnce(database, list);
    } catch (error) {
      if (attempt === maxAttempts || !isLockedByOthers(error)) throw error;
      onBusy(
        "The database cannot be brought up to date yet, because another transaction uses its tables. Trying again.",
      );
      await sleep(retryAfterMs);
    }
  }
}

function migrateOnce(database: Database, list: Record<string, Migration>): Promise<string[]> {
  return database.transaction(async (tx) => {
    // Overrides limits of a role or database, because a change to all rows takes time in proportion to them.
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    // Other starts wait here until the first has migrated, however long that takes.
    await sql`set local lock_timeout = 0`.execute(tx);
    await sql`lock table castellan.migrations in exclusive mode`.execute(tx);
    await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(tx);
    await sql`alter table castellan.migrations add column if not exists checksum text`.execute(tx);
    await sql`alter table castellan.migrations add column if not exists usable_from text`.execute(tx);
    const rows = await readLedger(tx);
    requireKnown(rows, list);
    const isBridge = rows.some(({ name }) => name === bridge);
    if (isBridge) await adopt(tx, list);
    else await compare(tx, rows, list);
    const applied = new Set(isBridge ? [baseline] : rows.map(({ name }) => name));
    const pending = Object.entries(list).filter(([name]) => !applied.has(name));
    for (const [name, migration] of pending) await apply(tx, name, migration);
    return [...(isBridge ? [baseline] : []), ...pending.map(([name]) => name)];
  });
}

/** Whether nothing is left to do, the usual case at a start; one query without locks. */
async function isAsListed(database: Database, list: Record<string, Migration>): Promise<boolean> {
  const applied = await readApplied(database);
  const checksums = new Map(applied?.map(({ name, checksum }) => [name, checksum]));
  return (
    applied !== undefined &&
    Object.entries(list).every(([name, migration]) => checksums.get(name) === checksumOf(migration)) &&
    applied.every(isUsableWith(list))
  );
}

/**
 * Whether this version can use a database as it is, for code that opens it without changing it. Throws
 * `database_unavailable` if it is older, too new or unreachable; false if it has no data of Castellan.
 */
export async function isUpToDate(database: Database): Promise<boolean> {
  const pending = await findPending(database);
  if (pending === undefined || pending.length === 0) return pending !== undefined;
  throw new AppError(
    "database_unavailable",
    `The database was created by an older version of Castellan (it lacks ${pending.join(", ")}). To bring it up to date, run castellan migrate.`,
  );
}

/** The migrations that a database lacks; undefined if it has no data of Castellan. Otherwise throws like `isUpToDate`. */
export async function findPending(
  database: Database,
  list: Record<string, Migration> = migrations,
): Promise<string[] | undefined> {
  const applied = await readApplied(database);
  if (!applied) return undefined;
  requireKnown(applied, list);
  const names = new Set(applied.map(({ name }) => name));
  return Object.keys(list).filter((name) => !names.has(name));
}

/** Undefined if the database has no data of Castellan. */
async function readApplied({ query }: Database): Promise<Applied[] | undefined> {
  try {
    return await readLedger(query);
  } catch (error) {
    if (missing.has(sqlState(error) ?? "")) return undefined;
    throw unreachable(error);
  }
}

/** There is no schema or table. */
const missing = new Set(["3F000", "42P01"]);

interface Applied {
  name: string;
  /** Null if it was applied by a version without checksums. */
  checksum: string | null;
  /** Versions that have this migration can use the database after it; its own name if it was applied by an earlier version. */
  usableFrom: string;
}

const isUsableWith =
  (list: Record<string, Migration>) =>
  ({ name, usableFrom }: Applied): boolean =>
    name in list || usableFrom in list;

/** Earlier versions made the table without the newer columns. */
async function readLedger(db: Queryable): Promise<Applied[]> {
  const { rows } = await sql<Applied>`
    select name, to_jsonb(ledger) ->> 'checksum' as checksum,
      coalesce(to_jsonb(ledger) ->> 'usable_from', name) as "usableFrom"
    from castellan.migrations as ledger
  `.execute(db);
  return rows;
}

/** The migration must have the same text now as when the database was created. */
async function compare(tx: Tx, applied: Applied[], list: Record<string, Migration>): Promise<void> {
  const changed: string[] = [];
  for (const { name, checksum } of applied) {
    const migration = list[name];
    // A newer version's.
    if (migration === undefined) continue;
    const expected = checksumOf(migration);
    if (checksum === null && expected !== null) {
      await sql`update castellan.migrations set checksum = ${expected} where name = ${name}`.execute(tx);
    } else if (checksum !== expected) changed.push(name);
  }
  if (changed.length === 0) return;
  throw new AppError(
    "database_unavailable",
    `The database was created by another build of this version of Castellan (${changed.join(", ")} differ) and does not match. Start that build, run "castellan backup --portable FILE", and restore the file with this one.`,
  );
}

/** Null for a function, whose text depends on its compilation. */
export function checksumOf(migration: Migration): string | null {
  return typeof migration === "string" ? createHash("sha256").update(migration).digest("hex") : null;
}

/** Records the baseline in place of the steps that led to the same schema. */
async function adopt(tx: Tx, list: Record<string, Migration>): Promise<void> {
  await sql`delete from castellan.migrations`.execute(tx);
  await enter(tx, baseline, list[baseline] ?? "");
}

async function createLedger(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql.raw(ledger).execute(database.query);
      return;
    } catch (error) {
      if (attempt === 5 || !createdMeanwhile.has(sqlState(error) ?? "")) throw unreachable(error);
    }
  }
}

async function apply(tx: Tx, name: string, migration: Migration): Promise<void> {
  try {
    if (typeof migration === "string") await sql.raw(migration).execute(tx);
    else await migration(tx);
    await enter(tx, name, migration);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError(
      "database_unavailable",
      `The database could not be brought up to date: migration ${name} failed (${reason}). Nothing was changed.`,
      { cause },
    );
  }
}

/**
 * Throws `database_unavailable` if a database has steps that this version neither has nor replaces, unless it has all steps
 * of this version and the others are for this version, too.
 */
function requireKnown(applied: readonly Applied[], list: Record<string, Migration>): void {
  const names = applied.map(({ name }) => name);
  if (names.includes(bridge)) return;
  const unknown = names.filter((name) => !(name in list));
  if (unknown.length === 0) return;
  const isComplete = Object.keys(list).every((name) => names.includes(name));
  if (isComplete && applied.every(isUsableWith(list))) return;
  throw new AppError(
    "database_unavailable",
    isBeforeBridge(names)
      ? `The database was created by a version of Castellan that this one can no longer migrate. ${throughBridge} Nothing was changed.`
      : `The database was created by a newer version of Castellan (it has ${unknown.join(", ")}). Start that version, or use another database.`,
  );
}

async function enter(tx: Tx, name: string, migration: Migration): Promise<void> {
  await sql`
    insert into castellan.migrations (name, checksum, usable_from)
    values (${name}, ${checksumOf(migration)}, ${usableFrom[name] ?? baseline})
  `.execute(tx);
}

function unreachable(cause: unknown): AppError {
  const reason = reasonOf(cause);
  const advice = reason.includes("startup parameter")
    ? "Behind a pooler in transaction mode, such as PgBouncer, set PREPARED_STATEMENTS=off."
    : "Check DATABASE_URL, or the data directory.";
  return new AppError("database_unavailable", `The database cannot be used: ${reason}. ${advice}`, { cause });
}

/** The message of the server or connection, without its final full stop. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError && error.cause !== undefined) return reasonOf(error.cause);
  // If a host has several addresses, each failed in a different way.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors.at(-1));
  const untrusted = explainCertificateError(error);
  if (untrusted !== undefined) return `its ${untrusted}`;
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}
