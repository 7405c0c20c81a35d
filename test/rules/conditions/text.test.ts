import { describe, expect, it } from "vitest";
import { truthOf, createLeafReader } from "../../../src/rules/evaluate/condition.ts";
import { textLimit } from "../../../src/rules/text/rule-text.ts";
import { castCreated, conditionOf, factsOf } from "../../support/rules.ts";

const judge = (test: Record<string, string>, text: string) =>
  truthOf(conditionOf({ text: test }, "cast.created"), createLeafReader(castCreated(text), factsOf()));

describe("text", () => {
  it.each([
    [{ contains: "airdrop" }, "Free AirDrop now", true],
    [{ contains: "AIRDROP" }, "free airdrop now", true],
    [{ contains: "airdrop" }, "air drop", false],
    [{ contains: "airdrop" }, "air\u200Bdr\u00ADop", true],
    [{ contains: "airdrop" }, "ａｉｒｄｒｏｐ", true],
    [{ contains: "free" }, "\u202Efree", true],
    [{ contains: "café" }, "cafe\u0301", true],
    [{ contains: "café" }, "cafe\u200B\u0301", true],
    [{ contains: "ﬁne" }, "FINE", true],
    [{ matches: "(?i)claim.{0,20}airdrop" }, "CLAIM your airdrop", true],
    [{ matches: "claim" }, "CLAIM", false],
    [{ matches: "claim" }, "cl\u200Baim", true],
    [{ matches: "\\x{200B}" }, "cl\u200Baim", true],
    [{ matches: "\\x{200B}" }, "claim", false],
    [{ matches: "^$" }, "", true],
  ])("%j of %j: %s", (test, text, expected) => {
    expect(judge(test, text)).toBe(expected);
  });

  it("does not claim that a text lacks something when it read only the first part", () => {
    const long = "y".repeat(textLimit);
    expect(judge({ contains: "x" }, `x${long}`)).toBe(true);
    expect(judge({ contains: "x" }, long)).toBe(false);
    expect(judge({ contains: "x" }, `${long}x`)).toBe("unknown");
  });
});
