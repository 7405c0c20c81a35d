import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createApi } from "../../../src/api/create-api.ts";
import { castRemoved } from "../../../src/api/domain/hub-event.ts";
import { pruneHubEvents } from "../../../src/api/operations/hub.ts";
import { appendHubEvents } from "../../../src/api/store/hub-events.ts";
import { seconds } from "../../../src/clock.ts";
import { contract } from "../../../src/contract/index.ts";
import { createTestContext, type TestContext } from "../../support/world.ts";

const { events } = contract.hub;
const block = 2 ** 14;

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.database.close());
beforeEach(() => context.database.truncate());

const removal = castRemoved({
  hash: `0x${"a".repeat(40)}`,
  fid: 7,
  timestamp: 1_700_000_000,
  targetHash: `0x${"b".repeat(40)}`,
});

const append = (count: number) =>
  context.database.transaction((tx) =>
    appendHubEvents(
      tx,
      seconds(context.clock),
      Array.from({ length: count }, () => removal),
      context.settings.hub,
    ),
  );

const step = fc.oneof(
  fc.record({ append: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ from: fc.integer({ min: 0, max: 6 * block }), size: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ from: fc.constantFrom(0, block, block + 1, 2 * block), size: fc.constantFrom(2, 3) }),
  fc.constant({ wait: 24 * 3600 }),
);

it("Cached pages are what the database says, whatever was appended, pruned and asked before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
      await context.database.truncate();
      // Pages are cached by an Api; a database that was emptied is none that it knows.
      const api = createApi(context);
      const differing: unknown[] = [];
      for (const made of steps) {
        if ("append" in made) await append(made.append);
        else if ("wait" in made) {
          context.clock.advance(made.wait);
          await pruneHubEvents(context);
        } else {
          const input = { from_event_id: made.from, page_size: made.size };
          const answer = await api.callCached(events, input);
          const expected = await api.callText(events, input);
          // Asked again, it is the cached one.
          const again = await api.callCached(events, input);
          for (const given of [answer, again]) {
            if (given && String(given.bytes) !== expected)
              differing.push({ input, given: String(given.bytes) });
          }
        }
      }
      expect(differing).toEqual([]);
    }),
    { numRuns: 60, seed: 9 },
  );
});

it("A page is read once, and again only when its end may have moved", async () => {
  await append(5);
  const api = createApi(context);
  const page = (from: number, size: number) =>
    api.callCached(events, { from_event_id: from, page_size: size });
  const full = await page(0, 3);
  const tail = await page(block + 3, 3);
  expect([
    (await page(0, 3))?.bytes === full?.bytes,
    (await page(block + 3, 3))?.bytes === tail?.bytes,
  ]).toEqual([true, true]);
  await append(1);
  expect((await page(0, 3))?.bytes).toBe(full?.bytes);
  expect((await page(block + 3, 3))?.bytes).not.toBe(tail?.bytes);
});

it("Reversed, stopped and empty pages are not cached", async () => {
  await append(2);
  const api = createApi(context);
  expect(await api.callCached(events, { reverse: "true" })).toBeUndefined();
  expect(await api.callCached(events, { stop_id: block + 1 })).toBeUndefined();
  expect(await api.callCached(events, { from_event_id: 9 * block })).toBeUndefined();
});
