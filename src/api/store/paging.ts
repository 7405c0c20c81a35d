import { sql, type SelectQueryBuilder } from "kysely";
import type { Tables } from "../../database/tables/index.ts";
import { decodeCursor, encodeCursor, type Listing } from "../domain/cursor.ts";

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
export async function readPage<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
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
  const found = await page.execute();
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
