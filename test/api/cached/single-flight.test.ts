import { expect, it } from "vitest";
import { singleFlight } from "../../../src/api/cached/cached-response.ts";

/** Looks that end when the test says so. */
function createLooks() {
  const ends: ((problem?: Error) => void)[] = [];
  const look = singleFlight(async () => {
    const number = ends.length + 1;
    await new Promise<void>((resolve, reject) => {
      ends.push((problem) => (problem ? reject(problem) : resolve()));
    });
    return number;
  });
  return { look, ends };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

it("Who asks during a look waits for the next, and shares it with all who ask meanwhile", async () => {
  const { look, ends } = createLooks();
  const first = look();
  const during = [look(), look()];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  expect(await first).toBe(1);
  await settled();
  const later = look();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  expect(await Promise.all(during)).toEqual([2, 2]);
  await settled();
  ends[2]?.();
  expect(await later).toBe(3);
});

it("A look that fails fails for its own only", async () => {
  const { look, ends } = createLooks();
  const first = look();
  const second = look();
  ends[0]?.(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  await settled();
  ends[1]?.();
  expect(await second).toBe(2);
});
