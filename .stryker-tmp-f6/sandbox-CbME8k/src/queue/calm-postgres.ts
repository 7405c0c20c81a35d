// @ts-nocheck
import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresBackend } from "bullmq";

/** Milliseconds: a wait shorter than this was none; the longest pause after such. */
const instant = 20;
const longestPause = 500;

/**
 * BullMQ's Postgres backend, without its busy loop: while a queue admits no further job (another process runs the one
 * it may), the jobs that wait wake an idle worker again at once, for ever. Here it pauses, longer each time. The
 * process that ends the running job takes the next one itself, so nothing waits for the pause.
 */
export const createCalmPostgresBackend: typeof createPostgresBackend = (...parameters) => {
  const backend = createPostgresBackend(...parameters);
  const waitForJob = backend.waitForJob.bind(backend);
  let pause = 0;
  backend.waitForJob = async (timeout) => {
    const began = performance.now();
    const marker = await waitForJob(timeout);
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
