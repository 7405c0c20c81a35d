// @ts-nocheck
import { sql, type SelectQueryBuilder } from "kysely";
import type { Queryable } from "../../database/database.ts";
import { decodeCursor, encodeCursor, type Listing } from "../domain/cursor.ts";
import { requireChannel } from "./channels.ts";

export interface PageRequest {
  /** What the cursor is bound to. */
  listing: Listing;
  /** Columns of integers, of which the last tells records apart: a time, then the record's own id. */
  order: readonly string[];
  /** Of all columns; descending unless said otherwise. */
  direction?: "asc" | "desc";
  limit: number;
  cursor?: string;
}

export interface PageRows<Row> {
  rows: Row[];
  /** Spread into the page; empty on the last one. */
  next: { next?: { cursor: string } };
}

/** One page of a listing in one statement: by keyset, so that nothing is skipped or repeated while rows come and go. */
export async function readPage<Known, Table extends keyof Known, Row>(
  query: SelectQueryBuilder<Known, Table, Row>,
  { listing, order, direction = "desc", limit, cursor }: PageRequest,
): Promise<PageRows<Row>> {
  const columns = order.map((column) => sql.ref<number>(column));
  // As text: only that of the last row is ever read.
  const position = sql<string>`concat_ws(',', ${sql.join(columns)})`;
  let page = query
    .select(position.as("page_position"))
    // One more than asked tells whether there is a next page.
    .limit(limit + 1);
  for (const column of columns) page = page.orderBy(column, direction);
  if (cursor !== undefined) {
    const after = decodeCursor(listing, cursor, order.length);
    const beyond = sql.raw(direction === "desc" ? "<" : ">");
    page = page.where(sql<boolean>`(${sql.join(columns)}) ${beyond} (${sql.join(after)})`);
  }
  // Kysely's types lose track of columns that are added to a row they know nothing about.
  const found = (await page.execute()) as (Row & { page_position: string })[];
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    // Row is what is left when the column added above is taken off.
    rows: rows.map(({ page_position: _, ...row }) => row as Row),
    next:
      last && found.length > limit
        ? { next: { cursor: encodeCursor(listing, last.page_position.split(",").map(Number)) } }
        : {},
  };
}

/** A page of what belongs to a channel, where one is asked for; an unknown channel is `not_found`. */
export async function readChannelPage<Known, Table extends keyof Known, Row>(
  db: Queryable,
  channelId: string | undefined,
  query: SelectQueryBuilder<Known, Table, Row>,
  request: PageRequest,
): Promise<PageRows<Row>> {
  const page = await readPage(query, request);
  // A row that is found proves its channel by its foreign key.
  if (channelId !== undefined && page.rows.length === 0) await requireChannel(db, channelId);
  return page;
}

/** The filters of a listing, those that were left out ignored: for `eb.and(given({ fid }))`. */
export function given<Filters extends object>(
  filters: Filters,
): { [Column in keyof Filters]?: Exclude<Filters[Column], undefined> } {
  // Kysely leaves undefined out of an object of conditions, but its type only knows absent ones.
  return filters;
}
