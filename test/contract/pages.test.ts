import { describe, expect, it } from "vitest";
import type { PageInput } from "../../src/contract/endpoint.ts";
import { pages } from "../../src/contract/pages.ts";

/** A listing that gives these cursors, one a page. */
async function read(cursors: (string | undefined)[], input: PageInput & { fid?: number } = {}) {
  const asked: (typeof input)[] = [];
  const list = async (one: typeof input) => {
    const cursor = cursors[asked.push(one) - 1];
    return cursor === undefined ? { result: asked.length } : { result: asked.length, next: { cursor } };
  };
  const results: number[] = [];
  for await (const result of pages(list, input)) results.push(result);
  return { results, asked };
}

describe("pages", () => {
  it("hand each page's cursor on, with the rest of the input, until there is none", async () => {
    const { results, asked } = await read(["a", "b", undefined], { fid: 7 });
    expect(results).toEqual([1, 2, 3]);
    expect(asked).toEqual([{ fid: 7 }, { fid: 7, cursor: "a" }, { fid: 7, cursor: "b" }]);
  });

  it("end at an empty cursor", async () => {
    expect((await read(["a", "", "never"])).results).toEqual([1, 2]);
  });

  it("end at a cursor that repeats itself", async () => {
    expect((await read(["a", "a", "never"])).results).toEqual([1, 2]);
  });

  it("end at a cursor that came before, in a circle of any length", async () => {
    const circle = ["a", "b", "c"];
    expect((await read(Array.from({ length: 50 }, (_, page) => circle[page % 3]))).results).toEqual([
      1, 2, 3, 4,
    ]);
    expect((await read(["b", "a", "never"], { cursor: "a" })).results).toEqual([1, 2]);
  });

  it("begin where the input says", async () => {
    expect((await read([undefined], { cursor: "x" })).asked).toEqual([{ cursor: "x" }]);
  });
});
