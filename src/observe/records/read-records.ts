import type { ModerationAction } from "../../contract/casts.ts";
import { followCursor } from "../../contract/pages.ts";
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
    const { records, pages } = await readPages(network, channelId, from);
    if (pages === 1) return records;
    const again = await network.moderatedCasts.list({ channelId, limit: firstPage });
    const head = again.result.moderationActions.filter((record) => record.moderatedAt >= from);
    if (JSON.stringify(head) === JSON.stringify(records.slice(0, head.length))) return records;
  }
  throw new AppError(
    "network_failed",
    `The moderation records of ${channelId} keep changing while they are read. Castellan reads on by itself.`,
  );
}

async function readPages(
  network: Network,
  channelId: string,
  from: number,
): Promise<{ records: ModerationAction[]; pages: number }> {
  const records: ModerationAction[] = [];
  const follow = followCursor(`moderation records of ${channelId}`);
  const met = new Set<string>();
  let cursor: string | undefined;
  let pages = 0;
  do {
    const limit = pages === 0 ? firstPage : furtherPages;
    const page = await network.moderatedCasts.list({ channelId, limit, cursor });
    const { moderationActions } = page.result;
    const inside = moderationActions.filter((record) => record.moderatedAt >= from);
    records.push(...inside);
    pages += 1;
    const metBefore = met.size;
    for (const record of inside) met.add(keyOf(record));
    const isLast = inside.length < moderationActions.length;
    cursor = isLast ? undefined : follow(page.next?.cursor, met.size - metBefore);
  } while (cursor !== undefined);
  return { records, pages };
}

export interface NewRecord extends ModerationAction {
  /** How many of the same cast, action and second came before it. */
  ordinal: number;
}

type RecordKey = Pick<ModerationAction, "castHash" | "action" | "moderatedAt">;

/**
 * The records of a window that are not stored yet, oldest first. Both are multisets, because a record has no id: a cast
 * can be hidden, shown and hidden again within one second, which gives two records that are the same.
 * `listed` is newest first, as listings are.
 */
export function findNewRecords(
  listed: readonly ModerationAction[],
  stored: readonly RecordKey[],
): NewRecord[] {
  const known = new Map<string, number>();
  for (const record of stored) known.set(keyOf(record), (known.get(keyOf(record)) ?? 0) + 1);
  const met = new Map<string, number>();
  return listed.toReversed().flatMap((record) => {
    const key = keyOf(record);
    const ordinal = met.get(key) ?? 0;
    met.set(key, ordinal + 1);
    return ordinal < (known.get(key) ?? 0) ? [] : [{ ...record, ordinal }];
  });
}

function keyOf({ castHash, action, moderatedAt }: RecordKey): string {
  return `${castHash} ${action} ${moderatedAt}`;
}
