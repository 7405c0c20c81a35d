import * as fc from "fast-check";
import { expect, it } from "vitest";
import { collectMistakes } from "../../../src/api/network-file/mistakes.ts";
import { readRecords } from "../../../src/api/network-file/records.ts";
import { sortByParent } from "../../../src/api/network-file/sort-by-parent.ts";
import { castHash } from "../../support/seed.ts";

async function sort(casts: object[]) {
  const mistakes = collectMistakes();
  const file = await readRecords({ casts }, mistakes);
  const sorted = await sortByParent(file, { casts: new Map() }, mistakes);
  return { sorted, mistakes };
}

it("puts parents first and gives every reply its root's channel, however the file is shuffled", async () => {
  // Each cast's parent is one with a smaller number, or none; then the file's order is shuffled.
  const forest = fc
    .array(fc.option(fc.nat()), { minLength: 1, maxLength: 30 })
    .map((parents) =>
      parents.map((parent, index) => (parent === null || index === 0 ? undefined : parent % index)),
    )
    .chain((parents) =>
      fc.tuple(fc.constant(parents), fc.shuffledSubarray([...parents.keys()], { minLength: parents.length })),
    );
  await fc.assert(
    fc.asyncProperty(forest, async ([parents, order]) => {
      const rootOf = (index: number): number => {
        const parent = parents[index];
        return parent === undefined ? index : rootOf(parent);
      };
      const casts = order.map((index) => {
        const parent = parents[index];
        const place = parent === undefined ? { channelId: `c${index}` } : { parentHash: castHash(parent) };
        return { hash: castHash(index), fid: index + 1, text: "", ...place };
      });
      const { sorted, mistakes } = await sort(casts);
      mistakes.refuse();
      const positions = new Map(sorted.map(({ record }, position) => [record.hash, position]));
      expect(positions.size).toBe(parents.length);
      for (const [index, parent] of parents.entries()) {
        const position = positions.get(castHash(index)) ?? -1;
        expect(sorted[position]?.channelId).toBe(`c${rootOf(index)}`);
        if (parent === undefined) continue;
        expect(positions.get(castHash(parent))).toBeLessThan(position);
        expect(sorted[position]?.parent).toEqual({ fid: parent + 1, hash: castHash(parent) });
      }
    }),
    { numRuns: 200 },
  );
});

it("follows a thread of 20,000 replies in time", async () => {
  const casts = Array.from({ length: 20_000 }, (_, index) => ({
    hash: castHash(index + 1),
    fid: 1,
    text: "",
    ...(index < 19_999 ? { parentHash: castHash(index + 2) } : { channelId: "memes" }),
  }));
  const { sorted, mistakes } = await sort(casts);
  mistakes.refuse();
  expect(sorted.at(-1)).toMatchObject({ record: { hash: castHash(1) }, channelId: "memes" });
});
