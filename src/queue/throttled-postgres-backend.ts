import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresBackend } from "bullmq";
import { exponentialBackoff } from "../async.ts";

type PostgresBackend = ReturnType<typeof createPostgresBackend>;

/** Milliseconds before a failed request for a job is repeated. */
const failurePauses = { first: 10, longest: 500 };

/**
 * BullMQ's Postgres backend with two changes.
 *
 * It waits for a notification for at most `longestWait` (seconds), because one may be lost with a dead connection, and
 * BullMQ would then wait an hour for a delayed job.
 *
 * It pauses after a failure. Otherwise a worker whose requests fail immediately, for example with a closed pool, would
 * retry before anything else in this process gets its turn.
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
