import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresBackend } from "bullmq";
import { exponentialBackoff } from "../async.ts";

type PostgresBackend = ReturnType<typeof createPostgresBackend>;

/** A wait that is over within so many milliseconds was no wait; after such the worker pauses, for at most so many. */
const instant = 20;
const longestPause = 500;
/** Milliseconds before a question that failed is asked again. */
const failurePauses = { first: 10, longest: 500 };

/**
 * BullMQ's Postgres backend without its busy loops.
 *
 * While a queue admits no further job, because another process runs the one that it may, the jobs that wait wake an idle
 * worker again and again at once. Here the worker pauses, longer each time. The process that ends the running job takes the
 * next one itself, so nothing waits for the pause.
 *
 * No notification is relied on for longer than `longestWait` (seconds), for one may be lost with a dead connection: BullMQ
 * would wait an hour for a delayed job.
 *
 * A worker that is refused without being kept waiting, as by a pool that was closed, asks again before anything else in
 * this process has its turn: it pauses too.
 */
export function createThrottledPostgresBackend(longestWait: number): typeof createPostgresBackend {
  return (...parameters) => throttle(createPostgresBackend(...parameters), longestWait);
}

function throttle(backend: PostgresBackend, longestWait: number): PostgresBackend {
  const waitForJob = backend.waitForJob.bind(backend);
  const moveToActive = backend.moveToActive.bind(backend);
  let pause = 0;
  let failures = 0;
  backend.waitForJob = async (timeout) => {
    const began = performance.now();
    const marker = await waitForJob(Math.min(timeout, longestWait));
    if (performance.now() - began > instant) {
      pause = 0;
    } else {
      pause = Math.min(pause * 2 + 10, longestPause);
      await sleep(pause, undefined, { ref: false });
    }
    return marker;
  };
  backend.moveToActive = async (...asked) => {
    try {
      const moved = await moveToActive(...asked);
      failures = 0;
      return moved;
    } catch (error) {
      failures += 1;
      await sleep(exponentialBackoff(failures, failurePauses), undefined, { ref: false });
      throw error;
    }
  };
  return backend;
}
