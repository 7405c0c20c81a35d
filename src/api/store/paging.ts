import { sql, type SelectQueryBuilder } from "kysely";
import type { Queryable } from "../../database/database.ts";
import { decodeCursor, encodeCursor } from "../domain/cursor.ts";
import { requireChannel } from "./channels.ts";

/** A paged listing. */
export interface Listing<Filter, Known, Table extends keyof Known, Row> {
  /** Cursors are bound to it and the filters. */
  path: string;
  /** Integer columns, the last of which is unique: a time, then the record's own id. */
  order: readonly string[];
  /** Default: descending. */
  direction?: "asc" | "desc";
  select: (db: Queryable, filters: Filter) => SelectQueryBuilder<Known, Table, Row>;
}

export interface PageRequest {
  limit: number;
  cursor?: string;
}

export interface PageRows<Row> {
  rows: Row[];
  /** Spread into the page; empty on the last one. */
  next: { next?: { cursor: string } };
}

/** Reads a page of the records that match the filters, each of which is optional. */
export type ReadPage<Filter, Row> = (
  db: Queryable,
  filters: Filter,
  page: PageRequest,
) => Promise<PageRows<Row>>;

type Filters<Filter> = Record<keyof Filter, string | number | undefined>;

/** Reads a page by keyset, so that nothing is skipped or repeated while rows are added and deleted. */
export function listing<Filter extends Filters<Filter>, Known, Table extends keyof Known, Row>({
  path,
  order,
  direction = "desc",
  select,
}: Listing<Filter, Known, Table, Row>): ReadPage<Filter, Row> {
  const columns = order.map((column) => sql.ref<number>(column));
  return async (db, filters, { limit, cursor }) => {
    const bound = [path, ...Object.values<string | number | undefined>(filters)];
    // As text; only the last row's is read.
    const position = sql<string>`concat_ws(',', ${sql.join(columns)})`;
    // One extra row shows whether there is a next page.
    let page = select(db, filters)
      .select(position.as("page_position"))
      .limit(limit + 1);
    for (const column of columns) page = page.orderBy(column, direction);
    if (cursor !== undefined) {
      const after = sql.join(decodeCursor(bound, cursor, columns.length));
      const beyond = sql.raw(direction === "desc" ? "<" : ">");
      page = page.where(sql<boolean>`(${sql.join(columns)}) ${beyond} (${after})`);
    }
    // For a table given as a parameter, Kysely's types cannot name the added column.
    const found = (await page.execute()) as (Row & { page_position: string })[];
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    return {
      // Row is the type without the column added above.
      rows: rows.map(({ page_position: _, ...row }) => row as Row),
      next:
        last && found.length > limit
          ? { next: { cursor: encodeCursor(bound, last.page_position.split(",").map(Number)) } }
          : {},
    };
  };
}

/** A listing of things in channels; a channel filter that matches no channel is `not_found`. */
export function channelListing<
  Filter extends Filters<Filter> & { channelId: string | undefined },
  Known,
  Table extends keyof Known,
  Row,
>(declaration: Listing<Filter, Known, Table, Row>): ReadPage<Filter, Row> {
  const readPage = listing(declaration);
  return async (db, filters, request) => {
    const page = await readPage(db, filters, request);
    // The foreign key guarantees that a found row's channel exists.
    if (filters.channelId !== undefined && page.rows.length === 0)
      await requireChannel(db, filters.channelId);
    return page;
  };
}

/** A listing's filters without the absent ones: for `eb.and(given({ fid }))`. */
export function given<Filter extends object>(
  filters: Filter,
): { [Column in keyof Filter]?: Exclude<Filter[Column], undefined> } {
  // Kysely ignores undefined conditions, but its type allows only absent ones.
  return filters;
}
