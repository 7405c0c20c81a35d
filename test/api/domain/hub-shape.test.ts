import { describe, expect, it } from "vitest";
import { shardOf } from "../../../src/api/domain/hub-shape.ts";

describe("the shard of a user", () => {
  // By Python's hashlib: SHA-256 of the fid in four bytes, its first four bytes modulo 2, plus 1.
  it.each([
    [1, 1],
    [2, 2],
    [3, 1],
    [7, 1],
    [8, 2],
    // Hubs count in 32 bits.
    [2 ** 32 + 1, 1],
    [2 ** 53 - 1, 2],
  ])("is that of live hubs: of fid %i it is %i", (fid, shard) => {
    expect(shardOf(fid, { shards: 2, asLive: true })).toBe(shard);
  });

  it("is the only one where there is one", () => {
    expect([1, 2, 3, 8].map((fid) => shardOf(fid, { shards: 1, asLive: true }))).toEqual([1, 1, 1, 1]);
  });
});
