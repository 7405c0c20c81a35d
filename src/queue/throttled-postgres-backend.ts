import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresBackend } from "bullmq";
import { exponentialBackoff } from "../async.ts";

type PostgresBackend = ReturnType<typeof createPostgresBackend>;

/** Milliseconds before a question that failed is asked again. */
const failurePauses = { first: 10, longest: 500 };

/**
 * BullMQ's Postgres backend, with two limits.
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
  let failures = 0;
  backend.waitForJob = (timeout) => waitForJob(Math.min(timeout, longestWait));
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
