// @ts-nocheck
import type { ModerationAction } from "../../contract/casts.ts";

export interface NewRecord extends ModerationAction {
  /** How many of the same cast, action and second came before it. */
  ordinal: number;
}

export type RecordKey = Pick<ModerationAction, "castHash" | "action" | "moderatedAt">;

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
