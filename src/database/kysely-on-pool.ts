import {
  isCompilable,
  Kysely,
  PostgresDialect,
  type Compilable,
  type CompiledQuery,
  type QueryResult,
} from "kysely";
import type { Pool, QueryResult as PoolResult } from "pg";
import { isPointRead } from "./compile-once.ts";
import type { SharedConnections } from "./shared-connections.ts";
import type { Tables } from "./tables/index.ts";
import { explainUnavailable } from "./unavailable.ts";

/**
 * Kysely on a pool of connections. What is compiled already goes straight to the pool: Kysely's own way to a connection and
 * back takes three times as long as that (10 and 3 µs of the processor), which a call of one statement notices. Point reads
 * share connections where there are such.
 */
export class KyselyOnPool extends Kysely<Tables> {
  readonly #pool: Pool;
  readonly #shared: SharedConnections | undefined;

  constructor(pool: Pool, shared?: SharedConnections) {
    super({ dialect: new PostgresDialect({ pool }) });
    this.#pool = pool;
    this.#shared = shared;
  }

  override async executeQuery<Row>(query: CompiledQuery<Row> | Compilable<Row>): Promise<QueryResult<Row>> {
    if (isCompilable(query)) return super.executeQuery(query);
    const { command, rowCount, rows } = await this.#send<Row & object>(query);
    const isChange = ["INSERT", "UPDATE", "DELETE", "MERGE"].includes(command);
    return { rows, ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  async #send<Row extends object>(query: CompiledQuery<Row>): Promise<PoolResult<Row>> {
    const values = [...query.parameters];
    const shared = isPointRead(query) ? await this.#shared?.read<Row>(query.sql, values) : undefined;
    if (shared) return shared;
    try {
      return await this.#pool.query<Row>(query.sql, values);
    } catch (error) {
      // Of a connection that is lost a pool tells in pg's words.
      throw explainUnavailable(error);
    }
  }
}
