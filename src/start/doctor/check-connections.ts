import { sql } from "kysely";
import type { Config } from "../../config.ts";
import { usualConnections } from "../../database/connect.ts";
import type { Database } from "../../database/database.ts";
import { ok, wrong, type Finding } from "./finding.ts";

/** Maximum connections of one process; with Redis the queues need none. */
export function maxConnections({
  DATABASE_POOL,
  REDIS_URL,
}: Pick<Config, "DATABASE_POOL" | "REDIS_URL">): number {
  return DATABASE_POOL + (REDIS_URL === undefined ? usualConnections.queue : 0);
}

interface Counts {
  most: number;
  used: number;
  processes: number;
}

/** Whether a PostgreSQL server has enough connections for all processes that run on it. */
export async function checkConnections(
  { query, pooled }: Pick<Database, "query" | "pooled">,
  config: Pick<Config, "DATABASE_POOL" | "REDIS_URL">,
): Promise<Finding> {
  const part = "Connections";
  const own = maxConnections(config);
  if (pooled) {
    return ok(part, `to a pooler (PREPARED_STATEMENTS=off), up to ${own} per process`);
  }
  // A limit of -1 means no limit.
  const { rows } = await sql<Counts>`
    select least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as most,
      (select count(*) from pg_stat_activity where usesysid is not null) as used,
      (select count(distinct application_name) from pg_stat_activity
        where datname = current_database() and application_name like 'castellan %') as processes
  `.execute(query);
  const { most = 0, used = 0, processes = 0 } = rows[0] ?? {};
  const those = processes === 1 ? "one Castellan process" : `${processes} Castellan processes`;
  const told = `${used} of ${most} in use; ${those} with up to ${own} each`;
  if (processes * own <= most) return ok(part, told);
  return wrong(
    part,
    `${told}, in total up to ${processes * own}. That is more than PostgreSQL allows.`,
    "Raise max_connections (or the role's or database's connection limit), or lower DATABASE_POOL.",
  );
}
