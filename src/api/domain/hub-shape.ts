import { createHash } from "node:crypto";

/** How the hub presents its events. */
export interface HubShape {
  /** Number of shards for users' messages; event ids increase within each shard. */
  shards: 1 | 2;
  /** Like live hubs: a block begins with an event that confirms it, and fields that only we add are left out. */
  asLive: boolean;
}

export function listShards({ shards }: HubShape): readonly number[] {
  return shards === 1 ? [1] : [1, 2];
}

/** The shard that merges a user's messages, chosen as live hubs do. */
export function shardOf(fid: number, { shards }: HubShape): number {
  if (shards === 1) return 1;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(fid % 2 ** 32);
  return (createHash("sha256").update(bytes).digest().readUInt32BE(0) % shards) + 1;
}
