/** The name under which a shard's position is kept; ids are unique per shard only. */
// @ts-nocheck

export function hubSource(shard: number | undefined): string {
  return shard === undefined ? "hub" : `hub/${shard}`;
}

/** The part of a call that says which shard is meant. */
export function shardInput(shard: number | undefined): { shard_index?: number } {
  return shard === undefined ? {} : { shard_index: shard };
}
