import { LRUCache } from "lru-cache";
import type { Queryable } from "../../database/database.ts";
import { listTransfersAfter, pageSize } from "../store/transfers.ts";
import type { CachedResponse } from "./cached-response.ts";

const maxBytes = 16 * 1024 * 1024;

/** A hundred transfers whose ids follow each other, as JSON with commas between. */
interface Block {
  bytes: Buffer;
  /** Where each begins. */
  starts: number[];
}

/** Full pages of GET /transfers, from the transfer after this id on; undefined for one that may grow. */
export type TransferPages = (afterId: number) => Promise<CachedResponse | undefined>;

/**
 * A transfer is never changed, and ids become visible in order, without holes: a hundred that follow each other stay what
 * they are. A page is made of two such blocks.
 */
export function createTransferPages(db: Queryable): TransferPages {
  const blocks = new LRUCache<number, Block>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes.length,
  });

  /** Ids 1 to 100 are block 0. */
  async function findBlock(number: number): Promise<Block | undefined> {
    const known = blocks.get(number);
    if (known) return known;
    const block = await readBlock(db, number * pageSize);
    if (block) blocks.set(number, block);
    return block;
  }

  return async (afterId) => {
    const [number, skipped] = [Math.floor(afterId / pageSize), afterId % pageSize];
    const first = await findBlock(number);
    if (!first) return undefined;
    if (skipped === 0) return respond([first.bytes]);
    const second = await findBlock(number + 1);
    if (!second) return undefined;
    const upTo = (second.starts[skipped] ?? 0) - 1;
    return respond([first.bytes.subarray(first.starts[skipped]), comma, second.bytes.subarray(0, upTo)]);
  };
}

const comma = Buffer.from(",");

function respond(parts: readonly Buffer[]): CachedResponse {
  return { bytes: Buffer.concat([Buffer.from('{"transfers":['), ...parts, Buffer.from("]}")]) };
}

async function readBlock(db: Queryable, afterId: number): Promise<Block | undefined> {
  const transfers = await listTransfersAfter(db, afterId);
  if (transfers.length < pageSize || transfers.at(-1)?.id !== afterId + pageSize) return undefined;
  const starts: number[] = [];
  let length = 0;
  const texts = transfers.map((transfer) => {
    const text = JSON.stringify(transfer);
    starts.push(length);
    length += Buffer.byteLength(text) + comma.length;
    return text;
  });
  return { bytes: Buffer.from(texts.join(",")), starts };
}
