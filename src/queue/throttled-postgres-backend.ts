import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresBackend } from "bullmq";

/** A wait that is over within so many milliseconds was no wait; after such the worker pauses, for at most so many. */
const instant = 20;
const longestPause = 500;
/** Seconds: a job whose notification was lost with a dead connection is found this much later. */
const longestWait = 10;

/**
 * BullMQ's Postgres backend without its busy loop: while a queue admits no further job, because another process runs the one
 * that it may, the jobs that wait wake an idle worker again and again at once. Here the worker pauses, longer each time. The
 * process that ends the running job takes the next one itself, so nothing waits for the pause. Also, no notification is
 * relied on for longer than a while: BullMQ would wait an hour for a delayed job.
 */
export const createThrottledPostgresBackend: typeof createPostgresBackend = (...parameters) => {
  const backend = createPostgresBackend(...parameters);
  const waitForJob = backend.waitForJob.bind(backend);
  let pause = 0;
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
  return backend;
};
