import type { ModerationAction } from "../../contract/casts.ts";
import { followCursor } from "../../contract/pages.ts";
import type { Network } from "../../contract/index.ts";
import { AppError } from "../../errors.ts";

const firstPageSize = 100;
const pageSize = 1000;
const maxAttempts = 4;

/**
 * The records of one channel or of all channels from a second on, newest first. After several pages the first is read
 * again. If it has changed, entries may have moved between pages, and everything is read again.
 */
export async function readWindow(
  network: Network,
  channelId: string | undefined,
  from: number,
): Promise<ModerationAction[]> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { records, pages } = await readPages(network, channelId, from);
    if (pages === 1) return records;
    const again = await network.moderatedCasts.list({ channelId, limit: firstPageSize });
    const head = again.result.moderationActions.filter((record) => record.moderatedAt >= from);
    if (JSON.stringify(head) === JSON.stringify(records.slice(0, head.length))) return records;
  }
  throw new AppError(
    "network_failed",
    `The moderation records of ${channelId ?? "all channels"} keep changing while they are read. Castellan retries automatically.`,
  );
}

async function readPages(
  network: Network,
  channelId: string | undefined,
  from: number,
): Promise<{ records: ModerationAction[]; pages: number }> {
  const records: ModerationAction[] = [];
  const follow = followCursor(`moderation records of ${channelId ?? "all channels"}`);
  const met = new Set<string>();
  let cursor: string | undefined;
  let pages = 0;
  do {
    const limit = pages === 0 ? firstPageSize : pageSize;
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
  /** How many records with the same cast, action and second precede it. */
  ordinal: number;
}

type RecordKey = Pick<ModerationAction, "castHash" | "action" | "moderatedAt">;

/** A stored record; `eventId` is set if it came from an event, so its time may be slightly off. */
interface StoredRecord extends RecordKey {
  eventId?: string | null;
}

/** Seconds by which the time of an event and that of its record may differ. */
export const eventTolerance = 5;

/**
 * The records of a window that are not stored yet, oldest first. Both are multisets, because a record has no id: a cast
 * can be hidden, shown and hidden again within one second, which gives two identical records. `listed` is newest first,
 * like listings.
 */
export function findNewRecords(
  listed: readonly ModerationAction[],
  stored: readonly StoredRecord[],
): NewRecord[] {
  const known = new Map<string, number>();
  for (const record of stored) known.set(keyOf(record), (known.get(keyOf(record)) ?? 0) + 1);
  const met = new Map<string, number>();
  const fresh = listed.toReversed().flatMap((record) => {
    const key = keyOf(record);
    const ordinal = met.get(key) ?? 0;
    met.set(key, ordinal + 1);
    return ordinal < (known.get(key) ?? 0) ? [] : [{ ...record, ordinal }];
  });
  const fromEvents = stored.filter((record) => record.eventId && !met.has(keyOf(record)));
  return fromEvents.length === 0 ? fresh : fresh.filter((record) => !takeFromEvent(fromEvents, record));
}

/** Whether a record already came from an event. That event then matches no other record. */
function takeFromEvent(fromEvents: StoredRecord[], record: RecordKey): boolean {
  const index = fromEvents.findIndex(
    ({ castHash, action, moderatedAt }) =>
      castHash === record.castHash &&
      action === record.action &&
      Math.abs(moderatedAt - record.moderatedAt) <= eventTolerance,
  );
  if (index < 0) return false;
  fromEvents.splice(index, 1);
  return true;
}

function keyOf({ castHash, action, moderatedAt }: RecordKey): string {
  return `${castHash} ${action} ${moderatedAt}`;
}
