import type { ModerationAction } from "../../contract/casts.ts";
import type { Network } from "../../contract/index.ts";
import { AppError } from "../../errors.ts";

const firstPage = 100;
const furtherPages = 1000;
const tries = 4;

/**
 * A channel's records from a second on, newest first. Where that takes several pages, the first is read again at the
 * end: should it have changed, pages may have shifted under us, and all is read anew.
 */
export async function readWindow(
  network: Network,
  channelId: string,
  from: number,
): Promise<ModerationAction[]> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const records = await readPages(network, channelId, from);
    if (records.length < firstPage) return records;
    const again = await network.moderatedCasts.list({ channelId, limit: firstPage });
    const head = again.result.moderationActions.filter((record) => record.moderatedAt >= from);
    if (JSON.stringify(head) === JSON.stringify(records.slice(0, head.length))) return records;
  }
  throw new AppError(
    "network_failed",
    `The moderation records of ${channelId} keep changing while they are read. Castellan reads on by itself.`,
  );
}

async function readPages(network: Network, channelId: string, from: number): Promise<ModerationAction[]> {
  const records: ModerationAction[] = [];
  let cursor: string | undefined;
  do {
    const page = await network.moderatedCasts.list({
      channelId,
      limit: cursor === undefined ? firstPage : furtherPages,
      cursor,
    });
    const { moderationActions } = page.result;
    const inside = moderationActions.filter((record) => record.moderatedAt >= from);
    records.push(...inside);
    if (inside.length < moderationActions.length) return records;
    cursor = page.next?.cursor;
  } while (cursor !== undefined);
  return records;
}
