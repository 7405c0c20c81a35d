// @ts-nocheck
import { sql } from "kysely";
import type { Queryable } from "../../src/database/database.ts";

/** Everything that stands in our tables, to see whether anything changed. */
export async function readTables(db: Queryable): Promise<Record<string, unknown>> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('network', 'castellan') and table_type = 'BASE TABLE' order by 1
  `.execute(db);
  const contents: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await sql`select row::text as row from ${sql.raw(name)} as row order by 1`.execute(db);
    contents[name] = rows;
  }
  return contents;
}
