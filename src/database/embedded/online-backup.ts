import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { packContent, packFile, packTree, type Share } from "../../archive/pack.ts";
import { AppError } from "../../errors.ts";
import type { DatabaseBackup, Queryable } from "../database.ts";
import { sqlState } from "../transactions.ts";

/** Retains the write-ahead log from the backup's start. A temporary slot would disappear with the session's next error. */
const slot = "castellan_backup";
const duplicateObject = "42710";

/** Rebuilt at every start, or used only by the running process: their contents are omitted, as in pg_basebackup. */
const emptied = new Set([
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
  "pg_wal",
]);
/** Used only by the running process, and may disappear at any time; `pg_control` is added at the end. */
const leftOut = /^(postmaster\.pid|backup_label\.old|global\/pg_control|.*\bpgsql_tmp[^/]*)$/;

/**
 * Backs up the files while statements continue, with PostgreSQL's own method: the files are copied unchanged, one after
 * the other, and when they are opened, the log of the writes in the meantime makes them consistent as of the backup's
 * end. This needs neither a pause nor memory. Throws `not_ready` during another backup.
 */
export async function beginBackup(query: Queryable, files: string, under: string): Promise<DatabaseBackup> {
  await reserveLog(query);
  let running = false;
  let last = "";
  /** Returns the label, which says where in the log the files begin. */
  const stop = async () => {
    running = false;
    const { rows } = await sql<{ label: string; last: string }>`
      select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)
    `.execute(query);
    last = rows[0]?.last ?? "";
    return Buffer.from(rows[0]?.label ?? "");
  };
  const close = async () => {
    try {
      if (running) await stop();
      await releaseLog(query);
    } catch {
      // The engine is closing or gone; its next opening releases the rest.
    }
  };
  try {
    const { rows } = await sql<{ first: string }>`
      select pg_walfile_name(pg_backup_start(${slot}, fast => true)) as first
    `.execute(query);
    running = true;
    const first = rows[0]?.first ?? "";
    return { files: packFiles(files, under, stop), log: packLog(files, under, () => [first, last]), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Releases the log that an unfinished backup reserved before its process was killed. */
export async function releaseReservedLog(query: Queryable, files: string): Promise<void> {
  // Checked in the files first, because the engine would read a dozen of its catalogs to find that there is none.
  if ((await readdir(join(files, "pg_replslot"))).includes(slot)) await releaseLog(query);
}

async function releaseLog(query: Queryable): Promise<void> {
  await sql`
    select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = ${slot}
  `.execute(query);
}

async function reserveLog(query: Queryable): Promise<void> {
  try {
    await sql`select pg_create_physical_replication_slot(${slot}, immediately_reserve => true)`.execute(
      query,
    );
  } catch (error) {
    if (sqlState(error) !== duplicateObject) throw error;
    throw new AppError("not_ready", "Another backup is being made. Try again when it is done.", {
      retryAfter: 10,
    });
  }
}

function shareOf(path: string): Share {
  if (leftOut.test(path)) return "nothing";
  return emptied.has(path) ? "name" : "all";
}

async function* packFiles(
  files: string,
  under: string,
  stop: () => Promise<Buffer>,
): AsyncGenerator<Uint8Array> {
  yield* packTree(files, `${under}/`, shareOf);
  // Names the checkpoint from which the files continue, so it comes after them.
  yield* packFile(`${under}/global/pg_control`, join(files, "global/pg_control"));
  yield packContent(`${under}/backup_label`, await stop());
}

async function* packLog(
  files: string,
  under: string,
  limits: () => [first: string, last: string],
): AsyncGenerator<Uint8Array> {
  const [first, last] = limits();
  for (const name of (await readdir(join(files, "pg_wal"))).toSorted()) {
    // Names of 24 hex digits, in log order; segments above the last one are preallocated.
    if (!/^[0-9A-F]{24}$/.test(name) || name < first || name > last) continue;
    yield* packFile(`${under}/pg_wal/${name}`, join(files, "pg_wal", name));
  }
}
