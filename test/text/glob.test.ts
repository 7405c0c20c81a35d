import { describe, expect, it } from "vitest";
import { fitsGlob } from "../../src/text/glob.ts";

describe("a pattern of channels", () => {
  it.each([
    ["memes", "memes", true],
    ["memes", "memes2", false],
    ["*", "memes", true],
    ["art-*", "art-", true],
    ["art-*", "art", false],
    ["*-art", "pixel-art", true],
    ["a*c*e", "abcde", true],
    ["a*c*e", "abde", false],
    ["ab*ba", "aba", false],
    ["**", "x", true],
    ["art-*", "new-art-x", false],
    ["*a*a*", "a", false],
    ["*ab*ab*", "xababx", true],
  ])("%s fits %s: %s", (glob, id, expected) => {
    expect(fitsGlob(glob, id)).toBe(expected);
  });
});
