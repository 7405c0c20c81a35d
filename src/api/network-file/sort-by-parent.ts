import { pointer, type Mistakes } from "./mistakes.ts";
import type { Known } from "./read-known.ts";
import type { NetworkFile, RecordOf } from "./records.ts";
import { createYield } from "../../async.ts";

/** A cast with its parent and the channel that results. */
export interface LinkedCast {
  record: RecordOf<"casts">;
  channelId: string | null;
  parent: { fid: number; hash: string } | undefined;
}

/**
 * The casts that the network does not have, in the file's order but parents first, each with its channel. Cycles and
 * parents in another channel are mistakes.
 */
export async function sortByParent(
  file: NetworkFile,
  known: Pick<Known, "casts">,
  mistakes: Mistakes,
): Promise<LinkedCast[]> {
  const positions = new Map<string, number>();
  for (const [index, record] of file.casts.entries()) if (record) positions.set(record.hash, index);
  const linked = new Map<string, LinkedCast>();
  const missing: LinkedCast[] = [];
  const yieldToEventLoop = createYield();

  const channelOf = (hash: string) => {
    const present = known.casts.get(hash);
    return present ? present.channelId : linked.get(hash)?.channelId;
  };

  for (const record of file.casts) {
    for (const cast of unlinkedLine(record)) linkParent(cast);
    await yieldToEventLoop();
  }
  return missing;

  /** The cast and its ancestors in the file that are not linked yet, oldest first. */
  function unlinkedLine(record: RecordOf<"casts"> | undefined): RecordOf<"casts">[] {
    const line: RecordOf<"casts">[] = [];
    const inLine = new Set<string>();
    for (let cast = record; cast && !linked.has(cast.hash) && !inLine.has(cast.hash);) {
      line.push(cast);
      inLine.add(cast.hash);
      const parent: number | undefined = positions.get(cast.parentHash ?? "");
      cast = parent === undefined ? undefined : file.casts[parent];
    }
    return line.toReversed();
  }

  function linkParent(record: RecordOf<"casts">): void {
    const { hash, parentHash, channelId } = record;
    const index = positions.get(hash) ?? 0;
    if (parentHash === undefined) {
      add({ record, channelId: channelId ?? null, parent: undefined });
      return;
    }
    const parentChannel = channelOf(parentHash);
    if (parentChannel === undefined && positions.has(parentHash)) {
      mistakes.add({
        path: pointer("casts", index, "parentHash"),
        message: "makes the cast its own ancestor",
      });
    }
    if (channelId !== undefined && parentChannel !== undefined && parentChannel !== channelId) {
      const place = parentChannel === null ? "no channel" : `channel ${parentChannel}`;
      mistakes.add({
        path: pointer("casts", index, "channelId"),
        message: `is ${channelId}, but the parent is in ${place}`,
      });
    }
    const fid = known.casts.get(parentHash)?.fid ?? linked.get(parentHash)?.record.fid ?? 0;
    add({ record, channelId: parentChannel ?? null, parent: { fid, hash: parentHash } });
  }

  function add(cast: LinkedCast): void {
    linked.set(cast.record.hash, cast);
    if (!known.casts.has(cast.record.hash)) missing.push(cast);
  }
}
