import { HashScheme, MessageData as CoreData, validations } from "@farcaster/core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  describeCast,
  describeRemoval,
  describeUsername,
  encodeMessageData,
  hashMessageData,
  type MessageData,
} from "../../src/contract/message-data.ts";
import { readHubData } from "./core-message.ts";

const hex = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
const fid = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));
const timestamp = fc.integer({ min: 1_609_459_200, max: 2_500_000_000 });
const url = fc.webUrl();
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ minLength: 300, maxLength: 330 }),
  fc.string({ minLength: 1000, maxLength: 1100 }),
);
const cast = fc.record(
  {
    fid,
    timestamp,
    text,
    mentions: fc.array(fid, { maxLength: 10 }),
    embeds: fc.array(fc.record({ url }), { maxLength: 4 }),
    parentUrl: url,
    parent: fc.record({ fid, hash: hex(20) }),
  },
  { requiredKeys: ["fid", "timestamp", "text", "mentions", "embeds"] },
);
const message: fc.Arbitrary<MessageData> = fc.oneof(
  cast.map(({ parent, parentUrl, ...content }) =>
    describeCast({ ...content, ...(parent ? { parent } : { parentUrl }) }),
  ),
  fc.record({ fid, timestamp, targetHash: hex(20) }).map(describeRemoval),
  fc.record({ fid, timestamp, name: fc.stringMatching(/^[a-z0-9-]{1,16}$/) }).map(describeUsername),
);

describe("a message's data", () => {
  it("is encoded as the protocol's own library does", () => {
    fc.assert(
      fc.property(message, (data) => {
        const theirs = CoreData.encode(readHubData(data)).finish();
        expect(Buffer.from(encodeMessageData(data)).toString("hex")).toBe(
          Buffer.from(theirs).toString("hex"),
        );
      }),
      { numRuns: 500, seed: 13 },
    );
  });

  it("has a hash that the library recognizes, and no other", async () => {
    const data = describeCast({ fid: 7, timestamp: 1_700_000_000, text: "gm", mentions: [], embeds: [] });
    const bytes = Buffer.from(hashMessageData(data).slice(2), "hex");
    const encoded = CoreData.encode(readHubData(data)).finish();
    const theirs = await validations.createMessageHash(encoded, HashScheme.BLAKE3);
    expect(theirs.unwrapOr(undefined)).toEqual(new Uint8Array(bytes));
    for (const change of [{ fid: 8 }, { timestamp: 1 }])
      expect(hashMessageData({ ...data, ...change })).not.toBe(hashMessageData(data));
  });

  it.each([
    ["a".repeat(320), "CAST"],
    ["ä".repeat(161), "LONG_CAST"],
    ["a".repeat(1024), "LONG_CAST"],
    ["a".repeat(1025), "TEN_K_CAST"],
  ])("names the kind of cast by its bytes", (text, type) => {
    const data = describeCast({ fid: 7, timestamp: 1_700_000_000, text, mentions: [], embeds: [] });
    expect(data).toMatchObject({ castAddBody: { type } });
  });
});
