import { sql } from "kysely";
import type { Queryable } from "../database.ts";

/** Milliseconds between checks. Until a check has found that a table grew, plans for a small table stay in use. */
const usualInterval = 10_000;

export interface Vacuuming {
  /** Why the last check failed, for people. */
  trouble(): string | undefined;
  /** Resolves when no table is being vacuumed. */
  stop(): Promise<void>;
}

/**
 * Replaces autovacuum, which the embedded engine lacks: frees deleted rows and old transaction numbers, and updates the
 * planner's statistics. It writes, so it pauses while `isHeld`.
 */
export function startVacuuming(db: Queryable, isHeld: () => boolean, interval = usualInterval): Vacuuming {
  let running: Promise<unknown> | undefined;
  let trouble: string | undefined;
  const check = () => {
    if (isHeld()) return;
    running ??= vacuumTables(db)
      .then(() => (trouble = undefined))
      .catch((error: Error) => (trouble = `Old rows cannot be vacuumed: ${error.message}.`))
      .finally(() => (running = undefined));
  };
  const timer = setInterval(check, interval).unref();
  return {
    trouble: () => trouble,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * Vacuums and analyzes each table that autovacuum would, one at a time, so that other statements get their turns.
 * Returns the tables' names.
 */
export async function vacuumTables(db: Queryable): Promise<string[]> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  // PostgreSQL's own limits (autovacuum_vacuum_threshold and so on).
  const { rows } = await sql<{ name: string; vacuums: boolean }>`
    select * from (
      select format('%I.%I', schemaname, stat.relname) as name,
        n_dead_tup > 50 + 0.2 * n_live_tup or n_ins_since_vacuum > 1000 + 0.2 * n_live_tup
          or age(pg_class.relfrozenxid) > 150000000 as vacuums,
        n_mod_since_analyze > 50 + 0.1 * n_live_tup and relid <> 'pg_statistic'::regclass as analyzes
      from pg_stat_all_tables as stat join pg_class on pg_class.oid = relid
      where relkind = 'r' and relpersistence = 'p'
    ) as tables
    where vacuums or analyzes
  `.execute(db);
  for (const { name, vacuums } of rows) {
    await sql.raw(vacuums ? `vacuum (analyze) ${name}` : `analyze ${name}`).execute(db);
  }
  return rows.map(({ name }) => name);
}
