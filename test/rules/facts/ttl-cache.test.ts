import { describe, expect, it } from "vitest";
import { TtlCache } from "../../../src/rules/facts/ttl-cache.ts";
import type { Fact } from "../../../src/rules/facts/fact.ts";
import { createTestClock } from "../../support/world.ts";

const clock = createTestClock();
const fact = (value: number): Fact<number> => ({ known: true, value, source: "test", at: clock.now() });

describe("the cache of facts", () => {
  it("gives the same for ten seconds, then reads again", async () => {
    const cache = new TtlCache(clock);
    expect(await cache.get("a", async () => fact(1))).toMatchObject({ value: 1 });
    clock.advance(9);
    expect(await cache.get("a", async () => fact(2))).toMatchObject({ value: 1 });
    clock.advance(1);
    expect(await cache.get("a", async () => fact(3))).toMatchObject({ value: 3 });
  });

  it("forgets after as long when the clock is set back", async () => {
    const cache = new TtlCache(clock);
    await cache.get("a", async () => fact(1));
    clock.jump(-3600);
    clock.advance(10);
    expect(await cache.get("a", async () => fact(2))).toMatchObject({ value: 2 });
  });

  it("keeps neither what was not known nor what failed", async () => {
    const cache = new TtlCache(clock);
    const unknown: Fact<number> = { known: false, why: "down", source: "test", at: 0 };
    expect(await cache.get("a", async () => unknown)).toMatchObject({ why: "down" });
    await expect(cache.get("a", () => Promise.reject(new Error("bug")))).rejects.toThrow("bug");
    expect(await cache.get("a", async () => fact(4))).toMatchObject({ value: 4 });
  });

  it("reads once for those who ask together", async () => {
    const cache = new TtlCache(clock);
    let reads = 0;
    const read = async () => fact(++reads);
    const facts = await Promise.all([cache.get("a", read), cache.get("a", read)]);
    expect(facts).toMatchObject([{ value: 1 }, { value: 1 }]);
  });

  it("forgets the oldest of many", async () => {
    const cache = new TtlCache(clock);
    for (let key = 0; key <= 5000; key++) await cache.get(String(key), async () => fact(key));
    expect(await cache.get("0", async () => fact(-1))).toMatchObject({ value: -1 });
    expect(await cache.get("5000", async () => fact(-1))).toMatchObject({ value: 5000 });
  });
});
