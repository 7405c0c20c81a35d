import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { createMutex } from "../../src/api/registry-writer.ts";

it("begins work when what came before is done, also when that failed", async () => {
  const journal: string[] = [];
  const mutex = createMutex();
  const work = (name: string, fails = false) =>
    mutex(async () => {
      journal.push(`${name} begins`);
      await setImmediate();
      journal.push(`${name} ends`);
      if (fails) throw new Error(`${name} failed`);
      return name;
    });
  const results = await Promise.allSettled([work("first"), work("second", true), work("third")]);
  expect(journal).toEqual(["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : "failed"))).toEqual([
    "first",
    "failed",
    "third",
  ]);
});

it("does not let the work of one wait for that of another", async () => {
  let release = () => {};
  const held = createMutex()(() => new Promise<void>((resolve) => (release = resolve)));
  expect(await createMutex()(async () => "done")).toBe("done");
  release();
  await held;
});
