import { createHash } from "node:crypto";

/** How the hub tells its events. */
export interface HubShape {
  /** What users say is spread over so many shards; ids of events rise in each by themselves. */
  shards: 1 | 2;
  /** As live hubs do it: an event at the head of each block confirms it, and nothing has what ours alone adds. */
  asLive: boolean;
}

export function listShards({ shards }: HubShape): readonly number[] {
  return shards === 1 ? [1] : [1, 2];
}

/** The shard that merges what a user says, as live hubs choose it. */
export function shardOf(fid: number, { shards }: HubShape): number {
  if (shards === 1) return 1;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(fid % 2 ** 32);
  return (createHash("sha256").update(bytes).digest().readUInt32BE(0) % shards) + 1;
}
