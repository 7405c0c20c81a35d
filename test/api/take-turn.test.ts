import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { takeTurn } from "../../src/api/take-turn.ts";

it("begins work when what came before is done, also when that failed", async () => {
  const journal: string[] = [];
  const owner = {};
  const work = (name: string, fails = false) =>
    takeTurn(owner, async () => {
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

it("does not let one owner wait for another", async () => {
  let release = () => {};
  const held = takeTurn({}, () => new Promise<void>((resolve) => (release = resolve)));
  expect(await takeTurn({}, async () => "done")).toBe("done");
  release();
  await held;
});
