import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import type { IdWorker } from "../../src/queue/worker.ts";
import { openTestDatabase } from "../support/database.ts";
import { createQueueStore, queueStores, requireServers, type QueueStore } from "../support/services.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

const patience = { timeout: 60_000, interval: 10 };
let tests = 0;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

describe.each(queueStores)("work by id, with jobs in %s", (storeName) => {
  let store: QueueStore;
  let name: string;
  let runs: string[];
  /** What the rows say. */
  let due: Set<string>;

  beforeEach(() => {
    store = createQueueStore(storeName, database);
    tests += 1;
    name = `by-id-${tests}`;
    runs = [];
    due = new Set();
  });

  async function openQueues() {
    const queues = await store.open([name]);
    opened.push(queues);
    return queues;
  }

  /** A process of its own. `run` does an id's work, which is done then where nothing else is said. */
  async function start(worker: Partial<Omit<IdWorker<void>, "name">> = {}) {
    const queues = await openQueues();
    const own: IdWorker<void> = {
      name,
      concurrency: 1,
      findDue: (_, most) => sql`select id from unnest(${[...due]}::text[]) as id limit ${most}`,
      async run(_, id) {
        runs.push(id);
        due.delete(id);
        return undefined;
      },
      ...worker,
    };
    opened.push(
      await startWorkers(queues, [own], undefined, {
        log: silentLog,
        clock: systemClock,
        takeover: { lockDuration: 1_000, stalledInterval: 300 },
      }),
    );
    return queues;
  }

  test("what a process left without a job when it died is done at the next start, and what another leaves by the sweep", async () => {
    due.add("of before");
    await start();
    await expect.poll(() => runs, patience).toEqual(["of before"]);
    due.add("of another");
    await expect.poll(() => runs, patience).toEqual(["of before", "of another"]);
  });

  test("what is left of an id comes when the others had their turn", async () => {
    const queues = await openQueues();
    for (const id of ["long", "short", "other"]) await queues.wake(name, id);
    let left = 3;
    await start({
      async run(_, id) {
        runs.push(id);
        return id === "long" && (left -= 1) > 0 ? 0 : undefined;
      },
    });
    await expect.poll(() => runs, patience).toEqual(["long", "short", "other", "long", "long"]);
  });

  test("an id whose rows wait goes on at its time, and at once when it is woken", async () => {
    let isOpen = false;
    const queues = await start({
      async run(_, id) {
        runs.push(`${id} ${isOpen ? "open" : "closed"}`);
        return isOpen ? undefined : 3_600_000;
      },
    });
    await queues.wake(name, "room");
    await expect.poll(() => runs, patience).toEqual(["room closed"]);
    isOpen = true;
    await queues.wake(name, "room");
    await expect.poll(() => runs, patience).toEqual(["room closed", "room open"]);
  });

  test("several processes share ids, and none of these runs twice at once", async () => {
    const active = new Map<string, number>();
    let most = 0;
    const overlaps: string[] = [];
    const left = new Map(Array.from({ length: 6 }, (_, index) => [`room ${index}`, 5]));
    for (const id of left.keys()) due.add(id);
    const run: IdWorker<void>["run"] = async (_, id) => {
      active.set(id, (active.get(id) ?? 0) + 1);
      if ((active.get(id) ?? 0) > 1) overlaps.push(id);
      most = Math.max(most, [...active.values()].filter((count) => count > 0).length);
      await sleep(20);
      active.set(id, (active.get(id) ?? 0) - 1);
      runs.push(id);
      const rest = (left.get(id) ?? 0) - 1;
      left.set(id, rest);
      if (rest > 0) return 0;
      due.delete(id);
      return undefined;
    };
    await start({ run, concurrency: 2 });
    const queues = await start({ run, concurrency: 2 });
    await Promise.all([...due].map((id) => queues.wake(name, id)));
    await expect.poll(() => runs.length, patience).toBeGreaterThanOrEqual(30);
    expect(overlaps).toEqual([]);
    expect(most).toBeGreaterThan(1);
  });

  test("one that fails keeps no other from its turn", async () => {
    const queues = await start({
      async run(_, id) {
        runs.push(id);
        if (id === "broken") throw new Error("no luck");
        return undefined;
      },
    });
    await queues.wake(name, "broken");
    await expect.poll(() => runs, patience).toEqual(["broken"]);
    for (const id of ["one", "two", "three"]) await queues.wake(name, id);
    await expect.poll(() => runs.filter((id) => id !== "broken"), patience).toEqual(["one", "two", "three"]);
  });

  test("one that takes long keeps no other from its turn, as long as not all do", async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const queues = await start({
      concurrency: 3,
      async run(_, id) {
        if (id.startsWith("slow")) await ended;
        runs.push(id);
        return undefined;
      },
    });
    for (const id of ["slow 1", "slow 2", "quick"]) await queues.wake(name, id);
    await expect.poll(() => runs, patience).toEqual(["quick"]);
    end();
    await expect.poll(() => runs.length, patience).toBe(3);
  });

  test("of eight that have much to do and one that has little, each has a turn before all have two", async () => {
    const queues = await openQueues();
    const slow = Array.from({ length: 8 }, (_, index) => `slow ${index}`);
    for (const id of [...slow, "quick"]) await queues.wake(name, id);
    const turns = new Map<string, number>();
    await start({
      concurrency: 8,
      async run(_, id) {
        runs.push(id);
        const turn = (turns.get(id) ?? 0) + 1;
        turns.set(id, turn);
        await sleep(50);
        return id !== "quick" && turn < 3 ? 0 : undefined;
      },
    });
    await expect.poll(() => runs.length, patience).toBe(25);
    // Of jobs that begin at the same moment, a later one may be counted first.
    expect(runs.slice(0, 16)).toContain("quick");
  });

  test("no more jobs begin than the limit allows, of all processes together", async () => {
    const limiter = { max: 2, duration: 400 };
    const begun: number[] = [];
    const run: IdWorker<void>["run"] = async (_, id) => {
      begun.push(performance.now());
      due.delete(id);
      return undefined;
    };
    for (let index = 0; index < 12; index += 1) due.add(`room ${index}`);
    await Promise.all([1, 2].map(() => start({ run, limiter, concurrency: 8 })));
    await expect.poll(() => begun.length, patience).toBeGreaterThanOrEqual(12);
    // Five times it had to wait until others might begin; a process hears of that a little late.
    expect((begun.at(-1) ?? 0) - (begun[0] ?? 0)).toBeGreaterThan(4 * limiter.duration);
  });

  test("a key that an outage left without its job keeps the id from nothing", async () => {
    const queues = await openQueues();
    await queues.wake(name, "room");
    expect(await forgetJobs(queues.queueOf(name))).toBe(1);
    await start();
    await queues.wake(name, "room");
    await expect.poll(() => runs, patience).toEqual(["room"]);
  });

  /** Jobs are lost, and the keys stay by which they are added once. Gives how many were lost. */
  async function forgetJobs(queue: object): Promise<number> {
    if (storeName === "the database") {
      const lost = sql`delete from bullmq.job where queue = ${name} returning id`;
      return (await lost.execute(database.query)).rows.length;
    }
    const redis = new Redis(requireServers().redis);
    const { keys } = queue as { keys: Record<"" | "wait", string> };
    const ids = await redis.lrange(keys.wait, 0, -1);
    await redis.del(keys.wait, ...ids.map((id) => `${keys[""]}${id}`));
    redis.disconnect();
    return ids.length;
  }
});
