// @ts-nocheck
import { sql } from "kysely";
import type { Queryable } from "../../database/database.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import { readHubEventTexts } from "../store/hub-events.ts";
import { shareLooks } from "./share-looks.ts";

const mostPages = 32;
/** A page of more bytes than this is not kept. */
const largestKept = 2 * 1024 * 1024;

interface Ends {
  oldest: number;
  newest: number;
}

interface KeptPage extends KeptAnswer {
  /** The newest event of the stream when a page with room for more was read; of a full page nothing. */
  upTo: number | undefined;
}

export interface HubPageRange {
  /** First id wanted. */
  from: number;
  size: number;
}

/**
 * Pages of GET /v1/events, kept made. Events are never changed and appended in order: a full page stays what it is as
 * long as its first event is there, any other as long as no event was added. One look at both ends tells.
 */
export function createHubPages(db: Queryable): (range: HubPageRange) => Promise<KeptAnswer | undefined> {
  const pages = new Map<string, KeptPage>();
  const look = shareLooks(() => readEnds(db));

  function keep(key: string, page: KeptPage): void {
    pages.delete(key);
    const [eldest] = pages.keys();
    if (pages.size >= mostPages && eldest !== undefined) pages.delete(eldest);
    if (page.bytes.length <= largestKept) pages.set(key, page);
  }

  return async ({ from, size }) => {
    const ends = await look();
    if (!ends || from > ends.newest) return undefined;
    const key = `${Math.max(from, ends.oldest)} ${size}`;
    const known = pages.get(key);
    if (known && (known.upTo === undefined || known.upTo === ends.newest)) return known;
    const { text, lastId, count } = await readHubEventTexts(db, { from, size, reverse: false });
    if (lastId === undefined) return undefined;
    const bytes = Buffer.from(`{"nextPageEventId":${lastId + 1},"events":[${text}]}`);
    // What was added since the look is in a page of which we would say that it ends before.
    if (count === size || lastId === ends.newest) {
      keep(key, { bytes, upTo: count === size ? undefined : lastId });
    }
    return { bytes };
  };
}

async function readEnds(db: Queryable): Promise<Ends | undefined> {
  const { rows } = await sql<{ oldest: number | null; newest: number | null }>`
    select (select min(id) from network.hub_events) as oldest, (select max(id) from network.hub_events) as newest
  `.execute(db);
  const { oldest, newest } = rows[0] ?? {};
  return typeof oldest === "number" && typeof newest === "number" ? { oldest, newest } : undefined;
}
