import { Kysely, PostgresDialect } from "kysely";
import type { Pool } from "pg";
import type { Database } from "./database.ts";
import type { Tables } from "./tables/index.ts";
import { runTransaction } from "./transactions.ts";

export interface Parts {
  engine: Database["engine"];
  statements: Pool;
  queue: Pool;
  close: () => Promise<void>;
}

export function assembleDatabase({ engine, statements, queue, close }: Parts): Database {
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: statements }) });
  return {
    engine,
    query,
    transaction: (work) => runTransaction(query, work),
    pool: queue,
    trouble: () => undefined,
    close,
  };
}
