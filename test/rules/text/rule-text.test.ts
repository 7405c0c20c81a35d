import { describe, expect, it } from "vitest";
import { readText, textLimit } from "../../../src/rules/text/rule-text.ts";

describe("a text, normalised", () => {
  it("stays within its limit", () => {
    // One character that becomes eighteen.
    const wide = readText("\uFDFA".repeat(textLimit));
    expect([wide.plain.length, wide.cut]).toEqual([textLimit, true]);
    expect(readText("x".repeat(100_000)).raw.length).toBe(textLimit);
  });

  it.each([
    ["GM All", { raw: "GM All", plain: "GM All", folded: "gm all", latin: "gm all" }],
    ["ＧＭ", { raw: "ＧＭ", plain: "GM", folded: "gm", latin: "gm" }],
    ["g\u200Bm", { raw: "g\u200Bm", plain: "gm", folded: "gm", latin: "gm" }],
    ["Cafe\u200B\u0301", { raw: "Cafe\u200B\u0301", plain: "Café", folded: "café", latin: "café" }],
    ["Аirdrор", { raw: "Аirdrор", plain: "Аirdrор", folded: "аirdrор", latin: "airdrop" }],
    ["Привет", { raw: "Привет", plain: "Привет", folded: "привет", latin: "привет" }],
  ])("%j is read in four ways", (raw, expected) => {
    expect(readText(raw)).toMatchObject({ ...expected, disguised: [], cut: false });
  });

  it("is cut where it is too long, and only there", () => {
    const most = "x".repeat(textLimit);
    expect([readText(most).cut, readText(`${most}x`).cut]).toEqual([false, true]);
    const foreign = "я".repeat(textLimit);
    expect([readText(foreign).cut, readText(`${foreign}я`).cut]).toEqual([false, true]);
    // What was left out may have had anything in it, though what was read became shorter.
    const shrunk = readText(`${"e\u0301".repeat(textLimit / 2)}x`);
    expect([shrunk.plain.length, shrunk.cut]).toEqual([textLimit / 2, true]);
    const grown = readText(`${"x".repeat(textLimit - 1)}\uFDFA`);
    expect([grown.plain.length, grown.raw.length, grown.cut]).toEqual([textLimit, textLimit, true]);
  });
});
