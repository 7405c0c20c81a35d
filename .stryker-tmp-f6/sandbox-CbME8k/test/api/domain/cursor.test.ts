// @ts-nocheck
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "../../../src/api/domain/cursor.ts";

const bansOfMemes = ["/fc/channel-bans", "memes", undefined] as const;
const cursor = encode('[["/fc/channel-bans","memes",null],[1700000000,42]]');

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

describe("cursor", () => {
  it("gives back every position that it was made of", () => {
    const integer = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(integer, integer, fc.string(), (key, id, filter) => {
        const listing = ["/fc/channel-bans", filter, undefined, 7];
        expect(decodeCursor(listing, encodeCursor(listing, [key, id]))).toEqual([key, id]);
      }),
    );
  });

  it("is unpadded base64url JSON", () => {
    expect(encodeCursor(bansOfMemes, [1_700_000_000, 42])).toBe(cursor);
    expect(decodeCursor(bansOfMemes, cursor)).toEqual([1_700_000_000, 42]);
  });

  it("stays below 1024 characters for the longest filters there are", () => {
    const listing = ["/v2/discover-composer-actions", "a".repeat(16), Number.MAX_SAFE_INTEGER, "featured"];
    const longest = encodeCursor(listing, [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
    expect(longest.length).toBeLessThanOrEqual(1024);
  });

  it.each([
    ["another endpoint", encode('[["/fc/channel-invites","memes",null],[1,2]]')],
    ["another channel", encode('[["/fc/channel-bans","cats",null],[1,2]]')],
    ["a further filter", encode('[["/fc/channel-bans","memes",7],[1,2]]')],
    ["no base64url", "%%%"],
    ["no JSON", encode("{")],
    ["no list", encode("null")],
    ["no position", encode('[["/fc/channel-bans","memes",null]]')],
    ["a position that is no list", encode('[["/fc/channel-bans","memes",null],7]')],
    ["a position of text", encode('[["/fc/channel-bans","memes",null],["1","2"]]')],
    ["half a position", encode('[["/fc/channel-bans","memes",null],[1]]')],
    ["a fraction", encode('[["/fc/channel-bans","memes",null],[1.5,2]]')],
    ["a fraction as id", encode('[["/fc/channel-bans","memes",null],[1,2.5]]')],
    ["a number too large", encode('[["/fc/channel-bans","memes",null],[1,9007199254740993]]')],
    ["a third number", encode('[["/fc/channel-bans","memes",null],[1,2,3]]')],
    ["white space in the JSON", encode('[["/fc/channel-bans","memes",null], [1,2]]')],
    ["padding", `${cursor}=`],
    ["a stray byte", `${cursor}!`],
    ["nothing", ""],
  ])("refuses a cursor with %s", (_case, given) => {
    expect(() => decodeCursor(bansOfMemes, given)).toThrow(
      expect.objectContaining({
        code: "invalid_cursor",
        instancePath: "/cursor",
        message: expect.stringContaining("Start again without it"),
      }),
    );
  });
});
