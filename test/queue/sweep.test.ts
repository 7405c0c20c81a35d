import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { createRunRecord } from "../../src/queue/rest-after-failure.ts";
import { sweepDue, sweepEvery } from "../../src/queue/sweep.ts";
import type { QueueHandle } from "../../src/queue/backend.ts";
import { openTestDatabase } from "../support/database.ts";

const database = await openTestDatabase();
afterAll(() => database.close());
afterEach(() => vi.useRealTimers());

test("that it cannot be read which ids are due is logged once, and again after it could be", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const query = { sweeps: 0, fails: true };
  const worker = {
    name: "reads-rows",
    concurrency: 1,
    findDue() {
      query.sweeps += 1;
      return query.fails
        ? sql<{ id: string }>`select id from nowhere`
        : sql<{ id: string }>`select '' as id where false`;
    },
    run: async () => undefined,
  };
  // Nothing is due, so it is not asked.
  const queue = {} as QueueHandle;
  const swept = [{ worker, queue, record: createRunRecord() }];
  const sweeping = sweepDue({ swept, context: undefined, database, log });
  /** The next sweep begins when this one is over. */
  const sweepUntil = (count: number) =>
    vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(sweepEvery);
      expect(query.sweeps).toBeGreaterThanOrEqual(count);
    });
  await sweepUntil(4);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("could not read which ids are due");
  query.fails = false;
  await sweepUntil(query.sweeps + 2);
  query.fails = true;
  await sweepUntil(query.sweeps + 3);
  sweeping.stop();
  expect(lines).toHaveLength(2);
});
