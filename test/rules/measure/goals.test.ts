import { expect, it } from "vitest";
import { readSources } from "../../support/corpus.ts";
import { scoreFeed } from "./served-feed.ts";
import { gatherCasts, scoreOf, shareOf } from "./score.ts";

const seed = 15;
const parts = ["open", "held-back"] as const;

it.each(parts)(
  "the starter rules leave innocent texts alone, and hit what is bad disguised as well: %s",
  (part) => {
    const { innocent, falseAlarms, bad, disguised } = scoreOf(gatherCasts(part, seed), seed);
    expect(falseAlarms.length / innocent, falseAlarms.join("\n")).toBeLessThanOrEqual(0.0005);
    expect(shareOf(bad)).toBeGreaterThanOrEqual(0.85);
    const shares = disguised.map(({ name, share }) => [name, shareOf(share)] as const);
    expect(shares.filter(([, share]) => share < 0.9)).toEqual([]);
    for (const { share } of disguised) expect(share.of).toBeGreaterThan(100);
  },
);

it.each(parts)(
  "addresses of a served feed are hit however they are written, lures with them, and no others: %s",
  async (part) => {
    const { addresses, lures, others } = await scoreFeed(part, seed);
    expect(addresses.of).toBe(1000);
    expect(lures.of).toBe(300);
    expect(shareOf(addresses)).toBeGreaterThanOrEqual(0.99);
    expect(shareOf(lures)).toBeGreaterThanOrEqual(0.99);
    expect(others).toEqual({ of: 1000, hit: 0 });
  },
);

it("the corpus is large, of several sources, a third of it held back, and none of it in both parts", () => {
  const [open, held] = parts.map((part) => gatherCasts(part, seed));
  const count = (casts: typeof open, isBad: boolean) => casts?.filter(({ bad }) => bad === isBad).length ?? 0;
  for (const [isBad, least] of [
    [false, 5000],
    [true, 1000],
  ] as const) {
    const all = count(open, isBad) + count(held, isBad);
    expect(all).toBeGreaterThanOrEqual(least);
    expect(count(held, isBad) / all).toBeGreaterThanOrEqual(0.3);
  }
  const texts = new Set(open?.map(({ text }) => text));
  // Anybody says "gm".
  expect(held?.filter(({ text }) => text.length > 10 && texts.has(text))).toEqual([]);
  for (const kind of ["innocent", "lures"] as const) {
    const names = parts.flatMap((part) => [...readSources(part, kind).keys()]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(10);
  }
});
