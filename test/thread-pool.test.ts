import { afterEach, expect, test } from "vitest";
import { entryPoint } from "../src/entry-point.ts";
import { createThreadPool, type ThreadPool } from "../src/thread-pool.ts";

const thread = entryPoint(import.meta.url, "support/echo-thread");
let pool: ThreadPool;
afterEach(() => pool.close());

test("a pool that could not be begun is tried again", async () => {
  const options = { maxThreads: -1 };
  pool = createThreadPool(thread, options);
  await expect(pool.run("one", {})).rejects.toThrow("maxThreads");
  options.maxThreads = 1;
  await expect(pool.run("two", {})).resolves.toBe("two");
});

test("a pool that nobody used, or that could not be begun, is closed", async () => {
  pool = createThreadPool(thread, { maxThreads: -1 });
  await pool.close();
  const failing = pool.run("one", {});
  const closing = pool.close();
  await expect(failing).rejects.toThrow("maxThreads");
  await closing;
});

test("tasks that come while it is begun share its threads", async () => {
  pool = createThreadPool(thread, { maxThreads: 1 });
  const ids = await Promise.all([1, 2, 3].map(() => pool.run(undefined, { name: "threadId" })));
  expect(new Set(ids).size).toBe(1);
});
