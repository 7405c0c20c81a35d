import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { openTestDatabase } from "../support/database.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

/** Indexes without the tables of BullMQ, as PostgreSQL says what they are. */
const ours = sql`namespace.nspname in ('network', 'castellan')`;

test("every foreign key has an index that begins with its columns, where it points from", async () => {
  const { rows } = await sql<{ key: string }>`
    select format('%s (%s)', key.conrelid::regclass, columns.names) as key
    from pg_constraint as key join pg_namespace as namespace on namespace.oid = key.connamespace
    cross join lateral (
      select string_agg(attribute.attname, ', ' order by place) as names
      from unnest(key.conkey) with ordinality as part (number, place)
      join pg_attribute as attribute on attribute.attrelid = key.conrelid and attribute.attnum = part.number
    ) as columns
    where key.contype = 'f' and ${ours} and not exists (
      select from pg_index as index
      where index.indrelid = key.conrelid
        -- What is null points nowhere, so an index may leave it out; nothing else.
        and (index.indpred is null or pg_get_expr(index.indpred, index.indrelid) = format('(%s IS NOT NULL)', columns.names))
        and (select array_agg(number order by number) from unnest((index.indkey::int2[])[0:cardinality(key.conkey) - 1]) as part (number))
          = (select array_agg(number order by number) from unnest(key.conkey) as part (number))
    )
  `.execute(database.query);
  expect(rows).toEqual([]);
});

test("no index is there twice", async () => {
  const { rows } = await sql<{ definition: string }>`
    select definition from (
      select regexp_replace(pg_get_indexdef(index.indexrelid), ' INDEX \\S+ ON ', ' INDEX ON ') as definition
      from pg_index as index join pg_class as class on class.oid = index.indexrelid
      join pg_namespace as namespace on namespace.oid = class.relnamespace
      where ${ours}
    ) as indexes group by definition having count(*) > 1
  `.execute(database.query);
  expect(rows).toEqual([]);
});
