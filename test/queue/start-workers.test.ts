import { afterAll, expect, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import type { Backend, WorkerHandle } from "../../src/queue/backend.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import { openTestDatabase } from "../support/database.ts";
import { createQueueStore, queueStores } from "../support/services.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

const cases = queueStores.flatMap((storeName) => [
  { storeName, fails: "cannot be opened" },
  { storeName, fails: "does not get ready" },
]);

test.each(cases)(
  "where one worker $fails, all are closed again ($storeName)",
  async ({ storeName, fails }) => {
    const queues = await createQueueStore(storeName, database).open(["whole", "broken"]);
    const handles: WorkerHandle[] = [];
    const openWorker: Backend["openWorker"] = (worker, ...rest) => {
      if (worker === "broken" && fails === "cannot be opened") throw new Error("broken");
      const handle = queues.backend.openWorker(worker, ...rest);
      handles.push(handle);
      if (worker === "broken") {
        const ready = handle.waitUntilReady();
        handle.waitUntilReady = () => ready.then(() => Promise.reject(new Error("broken")));
      }
      return handle;
    };
    const run = async () => {};
    await expect(
      startWorkers(
        { ...queues, backend: { ...queues.backend, openWorker } },
        [
          { name: "whole", run },
          { name: "broken", run },
        ],
        undefined,
        { log: silentLog, clock: systemClock },
      ),
    ).rejects.toThrow("broken");
    const closing = () => handles.map((handle) => "closing" in handle && handle.closing !== undefined);
    await expect.poll(closing).toEqual(fails === "cannot be opened" ? [true] : [true, true]);
    await queues.close();
  },
);
