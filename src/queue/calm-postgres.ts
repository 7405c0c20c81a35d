import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresBackend } from "bullmq";

/** Milliseconds: a wait shorter than this was none; the longest pause after such. */
const instant = 20;
const longestPause = 500;
/** Seconds: what was notified on a connection that had died unheard is found this much later. */
const longestWait = 10;

/**
 * BullMQ's Postgres backend, without its busy loop: while a queue admits no further job (another process runs the one
 * it may), the jobs that wait wake an idle worker again at once, for ever. Here it pauses, longer each time. The
 * process that ends the running job takes the next one itself, so nothing waits for the pause. And it relies on no
 * notification for longer than a while: BullMQ would wait an hour for a job that is delayed until then.
 */
export const createCalmPostgresBackend: typeof createPostgresBackend = (...parameters) => {
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
