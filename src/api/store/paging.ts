import { sql, type SelectQueryBuilder } from "kysely";
import type { Queryable } from "../../database/database.ts";
import { decodeCursor, encodeCursor } from "../domain/cursor.ts";
import { requireChannel } from "./channels.ts";

/** What is listed page by page. */
export interface Listing<Filter, Known, Table extends keyof Known, Row> {
  /** What cursors are bound to, with the filters. */
  path: string;
  /** Columns of integers, of which the last tells records apart: a time, then the record's own id. */
  order: readonly string[];
  /** Descending unless said otherwise. */
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

/** Reads a page of what a filter, each of which may be left out, lets through. */
export type ReadPage<Filter, Row> = (
  db: Queryable,
  filters: Filter,
  page: PageRequest,
) => Promise<PageRows<Row>>;

type Filters<Filter> = Record<keyof Filter, string | number | undefined>;

/** A statement gives a page: by keyset, so that nothing is skipped or repeated while rows come and go. */
export function listing<Filter extends Filters<Filter>, Known, Table extends keyof Known, Row>({
  path,
  order,
  direction = "desc",
  select,
}: Listing<Filter, Known, Table, Row>): ReadPage<Filter, Row> {
  const columns = order.map((column) => sql.ref<number>(column));
  return async (db, filters, { limit, cursor }) => {
    const bound = [path, ...Object.values<string | number | undefined>(filters)];
    // As text: only that of the last row is ever read.
    const position = sql<string>`concat_ws(',', ${sql.join(columns)})`;
    // One more than asked tells whether there is a next page.
    let page = select(db, filters)
      .select(position.as("page_position"))
      .limit(limit + 1);
    for (const column of columns) page = page.orderBy(column, direction);
    if (cursor !== undefined) {
      const after = sql.join(decodeCursor(bound, cursor, columns.length));
      const beyond = sql.raw(direction === "desc" ? "<" : ">");
      page = page.where(sql<boolean>`(${sql.join(columns)}) ${beyond} (${after})`);
    }
    // Of a table that is a parameter Kysely's types cannot name the added column.
    const found = (await page.execute()) as (Row & { page_position: string })[];
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    return {
      // Row is what is left when the column added above is taken off.
      rows: rows.map(({ page_position: _, ...row }) => row as Row),
      next:
        last && found.length > limit
          ? { next: { cursor: encodeCursor(bound, last.page_position.split(",").map(Number)) } }
          : {},
    };
  };
}

/** A listing of what belongs to channels: where one is asked for that is not there, it is `not_found`. */
export function channelListing<
  Filter extends Filters<Filter> & { channelId: string | undefined },
  Known,
  Table extends keyof Known,
  Row,
>(declaration: Listing<Filter, Known, Table, Row>): ReadPage<Filter, Row> {
  const readPage = listing(declaration);
  return async (db, filters, request) => {
    const page = await readPage(db, filters, request);
    // A row that is found proves its channel by its foreign key.
    if (filters.channelId !== undefined && page.rows.length === 0)
      await requireChannel(db, filters.channelId);
    return page;
  };
}

/** The filters of a listing, those that were left out ignored: for `eb.and(given({ fid }))`. */
export function given<Filter extends object>(
  filters: Filter,
): { [Column in keyof Filter]?: Exclude<Filter[Column], undefined> } {
  // Kysely leaves undefined out of an object of conditions, but its type only knows absent ones.
  return filters;
}
