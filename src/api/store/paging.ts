import { sql, type SelectQueryBuilder } from "kysely";
import type { Queryable } from "../../database/database.ts";
import { decodeCursor, encodeCursor, type Listing } from "../domain/cursor.ts";
import { requireChannel } from "./channels.ts";

export interface PageRequest {
  /** What the cursor is bound to. */
  listing: Listing;
  /** Columns of the order, both descending: a time or a rank of sorts, and the record's own id. */
  order: readonly [key: string, id: string];
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
  { listing, order, limit, cursor }: PageRequest,
): Promise<PageRows<Row>> {
  const key = sql.ref<number>(order[0]);
  const id = sql.ref<number>(order[1]);
  let page = query
    .select([key.as("page_key"), id.as("page_id")])
    .orderBy(key, "desc")
    .orderBy(id, "desc")
    // One more than asked tells whether there is a next page.
    .limit(limit + 1);
  if (cursor !== undefined) {
    const [afterKey, afterId] = decodeCursor(listing, cursor);
    page = page.where(sql<boolean>`(${key}, ${id}) < (${afterKey}, ${afterId})`);
  }
  // Kysely's types lose track of columns that are added to a row they know nothing about.
  const found = (await page.execute()) as (Row & { page_key: number; page_id: number })[];
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    // Row is what is left when the two columns added above are taken off.
    rows: rows.map(({ page_key: _key, page_id: _id, ...row }) => row as Row),
    next:
      last && found.length > limit
        ? { next: { cursor: encodeCursor(listing, [last.page_key, last.page_id]) } }
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
