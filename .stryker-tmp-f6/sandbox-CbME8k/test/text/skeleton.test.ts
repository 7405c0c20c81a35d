// @ts-nocheck
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lookAlikeKeys, readAsLatin, skeletonOf } from "../../src/text/skeleton.ts";

const alike = (one: string, other: string) =>
  [...lookAlikeKeys(one)].some((key) => lookAlikeKeys(other).has(key));

describe("names that look alike", () => {
  it.each([
    ["alice", "a1ice"],
    ["alice", "aIice"],
    ["alice", "ALICE"],
    ["alice", "аlice"],
    ["alice", "al\u200bice"],
    ["alice", "ａｌｉｃｅ"],
    ["alice", "𝐚𝐥𝐢𝐜𝐞"],
    ["alice", "alice.eth"],
    ["memes", "rnemes"],
    ["moon", "m00n"],
    ["scope", "ѕсоре"],
    ["vitalik", "vita|ik"],
  ])("%s and %s share a key", (one, other) => {
    expect(alike(one, other)).toBe(true);
  });

  it.each([
    ["alice", "alicia"],
    ["alice", "alíce"],
    ["bob", "bod"],
    ["kot", "кот"],
    ["anna", "hanna"],
    ["art-one", "art-two"],
  ])("%s and %s do not", (one, other) => {
    expect(alike(one, other)).toBe(false);
  });

  it("have one skeleton, whose skeleton is itself for all that it is made of", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
        const once = skeletonOf(text);
        expect(skeletonOf(once)).toBe(skeletonOf(skeletonOf(once)));
      }),
    );
  });
});

describe("a text read as Latin", () => {
  it.each([
    ["free аirdrор", "free airdrop"],
    ["ассеѕѕ", "access"],
    ["саll mе", "call me"],
    ["вонus", "bohus"],
    ["привет, мир", "привет, мир"],
    ["日本語 étude", "日本語 étude"],
    ["καλημέρα", "καλημέρα"],
    ["plain", "plain"],
  ])("%s is %s", (text, read) => {
    expect(readAsLatin(text)).toBe(read);
  });
});
