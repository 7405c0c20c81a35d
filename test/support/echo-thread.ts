import * as threads from "node:worker_threads";

/** A file for a pool of threads: gives back what it is given. */
export default (task: unknown): unknown => task;

export const threadId = (): number => threads.threadId;
