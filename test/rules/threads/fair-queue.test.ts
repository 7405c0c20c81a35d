import { describe, expect, it } from "vitest";
import { createFairQueue } from "../../../src/rules/threads/fair-queue.ts";

/** Work that ends when it is told to; what began is written down. */
function createWork(queue = createFairQueue(2, 3)) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string, what: string) =>
    queue.run(name, () => {
      begun.push(what);
      return new Promise<string>((end) => ends.set(what, () => end(what)));
    });
  const end = async (what: string) => {
    ends.get(what)?.();
    await new Promise(setImmediate);
  };
  return { begun, add, end };
}

describe("a fair queue", () => {
  it("runs one piece of each name, a few altogether, and whoever waits before whoever had a turn", async () => {
    const { begun, add, end } = createWork();
    const all = [add("a", "a1"), add("a", "a2"), add("a", "a3"), add("b", "b1"), add("c", "c1")];
    await end("");
    expect(begun).toEqual(["a1", "b1"]);
    await end("a1");
    expect(begun).toEqual(["a1", "b1", "c1"]);
    await end("b1");
    await end("a2");
    await end("a3");
    await end("c1");
    expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1", "c1"]);
  });

  it("refuses what waits behind too much of its own, and nobody else", async () => {
    const { begun, add, end } = createWork();
    const [first, ...waiting] = ["a1", "a2", "a3", "a4"].map((what) => add("a", what));
    await expect(add("a", "a5")).rejects.toMatchObject({ code: "rate_limited" });
    void add("b", "b1");
    await end("a1");
    expect(await first).toBe("a1");
    expect(begun).toEqual(["a1", "b1", "a2"]);
    expect(waiting).toHaveLength(3);
  });

  it("goes on after a failure", async () => {
    const queue = createFairQueue(1, 3);
    await expect(queue.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await queue.run("a", async () => "yes")).toBe("yes");
  });
});
