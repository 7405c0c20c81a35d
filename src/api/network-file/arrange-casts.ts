import { pointer, type Mistakes } from "./mistakes.ts";
import { createPace } from "./pace.ts";
import type { Known } from "./read-known.ts";
import type { NetworkFile, RecordOf } from "./records.ts";

/** A cast with what follows from its parents. */
export interface ArrangedCast {
  record: RecordOf<"casts">;
  channelId: string | null;
  parent: { fid: number; hash: string } | undefined;
}

/**
 * The casts that the network does not have, in the file's order but parents first, each with its channel. Casts in
 * circles and casts whose parent is in another channel are mistakes.
 */
export async function arrangeCasts(
  file: NetworkFile,
  known: Pick<Known, "casts">,
  mistakes: Mistakes,
): Promise<ArrangedCast[]> {
  const positions = new Map<string, number>();
  for (const [index, record] of file.casts.entries()) if (record) positions.set(record.hash, index);
  const arranged = new Map<string, ArrangedCast>();
  const missing: ArrangedCast[] = [];
  const pace = createPace();

  const channelOf = (hash: string) => {
    const present = known.casts.get(hash);
    return present ? present.channelId : arranged.get(hash)?.channelId;
  };

  for (const record of file.casts) {
    for (const cast of unarrangedLine(record)) arrange(cast);
    await pace();
  }
  return missing;

  /** The cast and its ancestors in the file that are not arranged yet, the eldest first. */
  function unarrangedLine(record: RecordOf<"casts"> | undefined): RecordOf<"casts">[] {
    const line: RecordOf<"casts">[] = [];
    const inLine = new Set<string>();
    for (let cast = record; cast && !arranged.has(cast.hash) && !inLine.has(cast.hash);) {
      line.push(cast);
      inLine.add(cast.hash);
      const parent: number | undefined = positions.get(cast.parentHash ?? "");
      cast = parent === undefined ? undefined : file.casts[parent];
    }
    return line.toReversed();
  }

  function arrange(record: RecordOf<"casts">): void {
    const { hash, parentHash, channelId } = record;
    const index = positions.get(hash) ?? 0;
    if (parentHash === undefined) {
      keep({ record, channelId: channelId ?? null, parent: undefined });
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
    const fid = known.casts.get(parentHash)?.fid ?? arranged.get(parentHash)?.record.fid ?? 0;
    keep({ record, channelId: parentChannel ?? null, parent: { fid, hash: parentHash } });
  }

  function keep(cast: ArrangedCast): void {
    arranged.set(cast.record.hash, cast);
    if (!known.casts.has(cast.record.hash)) missing.push(cast);
  }
}
