import { expect, test } from "vitest";
import { LruMap } from "../src/lru-map.ts";

const one = { name: "one" };
const two = { name: "two" };
const three = { name: "three" };

function fill(onForget?: (value: { name: string }) => void) {
  const map = new LruMap<number, { name: string }>(2, onForget);
  return map.set(1, one).set(2, two);
}

test("one more than it holds makes it forget what was used longest ago, and say so", () => {
  const forgotten: string[] = [];
  const map = fill(({ name }) => forgotten.push(name));
  map.set(3, three);
  expect([...map.values()]).toEqual([two, three]);
  expect(forgotten).toEqual(["one"]);
});

test("what is read or written again counts as used", () => {
  const read = fill();
  expect(read.get(1)).toBe(one);
  expect([...read.set(3, three).keys()]).toEqual([1, 3]);
  const written = fill().set(1, three);
  expect([...written.set(3, three).keys()]).toEqual([1, 3]);
});

test("what is replaced or deleted is not told as forgotten", () => {
  const forgotten: string[] = [];
  const map = fill(({ name }) => forgotten.push(name));
  map.set(2, three).delete(1);
  map.set(3, three);
  expect({ size: map.size, forgotten }).toEqual({ size: 2, forgotten: [] });
  expect(map.get(1)).toBeUndefined();
});
