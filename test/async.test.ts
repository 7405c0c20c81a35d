import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { exponentialBackoff, mapLimited, withTimeout } from "../src/async.ts";

const never = new Promise<string>(() => {});

describe("a timeout", () => {
  it("gives what the work gives in time", async () => {
    expect(await withTimeout(Promise.resolve("done"), 1_000, () => "late")).toBe("done");
  });

  it("throws what the work throws in time", async () => {
    const failing = Promise.reject(new Error("refused"));
    await expect(withTimeout(failing, 1_000, () => "late")).rejects.toThrow("refused");
  });

  it("gives, or throws, what stands for work that takes longer", async () => {
    expect(await withTimeout(never, 1, () => "late")).toBe("late");
    const refuse = () => {
      throw new Error("too late");
    };
    await expect(withTimeout(never, 1, refuse)).rejects.toThrow("too late");
  });

  it("hears no more of work that fails later", async () => {
    const failsLater = sleep(5).then(() => Promise.reject(new Error("nobody hears this")));
    expect(await withTimeout(failsLater, 1, () => "late")).toBe("late");
    await sleep(10);
  });
});

describe("a limited map", () => {
  it("works on so many items at once and no more, and gives the results in order", async () => {
    let running = 0;
    let most = 0;
    const doubled = await mapLimited([30, 1, 20, 2, 10], 2, async (item) => {
      most = Math.max(most, (running += 1));
      await sleep(item);
      running -= 1;
      return item * 2;
    });
    expect(doubled).toEqual([60, 2, 40, 4, 20]);
    expect(most).toBe(2);
  });

  it("gives every item its turn, and then throws the first failure", async () => {
    const begun: number[] = [];
    const work = async (item: number) => {
      begun.push(item);
      if (item < 3) throw new Error(`item ${item} failed`);
    };
    await expect(mapLimited([1, 2, 3, 4], 1, work)).rejects.toThrow("item 1 failed");
    expect(begun).toEqual([1, 2, 3, 4]);
  });

  it("has nothing to do for no items", async () => {
    expect(await mapLimited([], 4, () => never)).toEqual([]);
  });
});

describe("a backoff", () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [4, 8_000],
    [7, 60_000],
    [5_000, 60_000],
  ])("after %i failures waits %i ms", (failures, pause) => {
    expect(exponentialBackoff(failures, { first: 1_000, longest: 60_000 })).toBe(pause);
  });

  it("grows by the factor that is given", () => {
    expect(exponentialBackoff(3, { first: 5_000, longest: 240_000, factor: 3 })).toBe(45_000);
  });
});
