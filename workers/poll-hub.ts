import type { ObserveContext } from "../src/observe/append-events.ts";
import { pollHub as poll } from "../src/observe/hub/poll-hub.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Reads what the hub merged: casts of linked channels, names. */
export const pollHub: Worker<ObserveContext> = {
  name: "poll-hub",
  every: 1000,
  run: poll,
};
