import { describe, expect, it } from "vitest";
import { maxBitsApart, printBits, similarityPrint } from "../../../src/rules/text/similarity.ts";

function bitsApart(one: string, other: string): number {
  const [a = "", b = ""] = [similarityPrint(one), similarityPrint(other)];
  return Array.from(a).filter((bit, place) => bit !== b[place]).length;
}

const text = "Great work, friend! Come see my new collection and claim a free mint before it ends";

describe("a similarity print", () => {
  it("has as many bits for any text, and none where there are no letters", () => {
    expect(similarityPrint(text)).toMatch(new RegExp(`^[01]{${printBits}}$`));
    expect(similarityPrint("领取空投")).toHaveLength(printBits);
    for (const nothing of ["", "!!! 🔥", "https://a.example/path", "@ann 123"])
      expect(similarityPrint(nothing)).toBeUndefined();
  });

  it.each([
    ["with another link", `${text} https://b.example/77`],
    ["to somebody else", `@bob ${text}`],
    ["with emoji", `🔥 ${text} 🔥🔥`],
    ["louder", text.toUpperCase().replace("!", "!!!")],
    ["with a word more", `Hello ${text}`],
    ["with another word", text.replace("friend", "Peter")],
    ["in look-alike letters", text.replaceAll("e", "е").replaceAll("o", "о")],
    ["with accents", text.replaceAll("e", "é")],
  ])("hardly differs for the same text %s", (_, other) => {
    expect(bitsApart(text, other)).toBeLessThanOrEqual(maxBitsApart);
  });

  it.each([
    "What a lovely photo, where was it taken?",
    "Great work, friend! I enjoyed reading it and learned a lot about gardens",
    "Congrats on the launch, well deserved",
  ])("differs for other texts: %s", (other) => {
    expect(bitsApart(text, other)).toBeGreaterThan(maxBitsApart);
  });

  it.each(["https://b.example", "www.b.example", "@bob"])(
    "leaves out %s, and not the words of a script without spaces after it",
    (copy) => {
      const words = "立即领取空投奖励，马上行动";
      expect(similarityPrint(`${copy}${words}`)).toBe(similarityPrint(words));
    },
  );

  it("is made of the longest texts, too", () => {
    const long = "abc déf ".repeat(200_000);
    expect(bitsApart(long, `${long}abc`)).toBeLessThanOrEqual(maxBitsApart);
  });
});
