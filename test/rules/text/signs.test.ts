import { describe, expect, it } from "vitest";
import { looksDisguised } from "../../../src/rules/text/signs.ts";

describe("a text in lower case", () => {
  it.each([
    "c l a i m it",
    "get a, b, c",
    "c.l.a.i.m it",
    "freeee",
    "miint it",
    "cla1m",
    "cl@im",
    "4irdrop",
    "claim_your_drop",
    "claim.your.drop",
    "a[.]example",
    "hxxp://a",
    "(c)(l)",
    "claim 🎁",
    "café",
  ])("looks disguised: %s", (text) => {
    expect(looksDisguised(text)).toBe(true);
  });

  it.each([
    "gm",
    "gm all, what are you building today? i don't know.",
    'he said: "good food; cheers!"',
    "a plan, i say",
    "see https://a.example/x",
    "10k of v2 in web3",
    "",
  ])("does not: %s", (text) => {
    expect(looksDisguised(text)).toBe(false);
  });
});
