import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { pointRead, type Placeholders } from "../../database/compile-once.ts";
import type { Queryable } from "../../database/database.ts";
import type { HubShape } from "../domain/hub-shape.ts";
import { readHubEventTexts } from "../store/hub-events.ts";
import { singleFlight, type CachedResponse } from "./cached-response.ts";

const maxPages = 32;
/** A page of more bytes than this is not cached. */
const largestCached = 2 * 1024 * 1024;

interface Ends {
  oldest: number;
  newest: number;
}

interface CachedPage extends CachedResponse {
  /** The newest event of the stream when a page with room for more was read; of a full page nothing. */
  upTo: number | undefined;
}

export interface HubPageRange {
  shard: number;
  /** First id wanted. */
  from: number;
  size: number;
}

/** Cached pages of GET /v1/events; undefined for one that is empty. */
export type HubPages = (range: HubPageRange) => Promise<CachedResponse | undefined>;

/**
 * Events are never changed and appended in order: a full page stays what it is as long as its first event is there, any
 * other as long as no event was added. Reading both ends of a shard's stream tells.
 */
export function createHubPages(db: Queryable, shape: HubShape): HubPages {
  const pages = new LRUCache<string, CachedPage>({ max: maxPages });
  const reads = new Map<number, () => Promise<Ends | undefined>>();

  function readBothEnds(shard: number): Promise<Ends | undefined> {
    const readOnce = reads.get(shard) ?? singleFlight(() => readEnds(db, shard));
    reads.set(shard, readOnce);
    return readOnce();
  }

  function remember(key: string, page: CachedPage): void {
    if (page.bytes.length <= largestCached) pages.set(key, page);
    else pages.delete(key);
  }

  return async ({ shard, from, size }) => {
    const ends = await readBothEnds(shard);
    if (!ends || from > ends.newest) return undefined;
    const key = `${shard} ${Math.max(from, ends.oldest)} ${size}`;
    const known = pages.get(key);
    if (known && (known.upTo === undefined || known.upTo === ends.newest)) return known;
    const { text, lastId, count } = await readHubEventTexts(db, { shard, from, size, reverse: false }, shape);
    if (lastId === undefined) return undefined;
    const next = shape.asLive ? "" : `"nextPageEventId":${lastId + 1},`;
    const bytes = Buffer.from(`{${next}"events":[${text}]}`);
    // What was added since both ends were read is in a page of which we would say that it ends before.
    if (count === size || lastId === ends.newest) {
      remember(key, { bytes, upTo: count === size ? undefined : lastId });
    }
    return { bytes };
  };
}

const selectEnds = pointRead(
  (_db, { shard }: Placeholders<{ shard: number }>) => sql<{ oldest: number | null; newest: number | null }>`
    select (select min(id) from network.hub_events where shard = ${shard}::smallint) as oldest,
      (select max(id) from network.hub_events where shard = ${shard}::smallint) as newest`,
);

async function readEnds(db: Queryable, shard: number): Promise<Ends | undefined> {
  const [ends] = await selectEnds(db, { shard });
  const { oldest, newest } = ends ?? {};
  return typeof oldest === "number" && typeof newest === "number" ? { oldest, newest } : undefined;
}
