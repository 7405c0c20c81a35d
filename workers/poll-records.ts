import type { ObserveContext } from "../src/observe/append-events.ts";
import { eachChannel } from "../src/observe/each-channel.ts";
import { pollRecords as poll } from "../src/observe/records/poll-records.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Reads who hid and showed what in linked channels; woken with a channel's id, only there. */
export const pollRecords: Worker<ObserveContext> = {
  name: "poll-records",
  every: 2000,
  run: (context, { key }) => eachChannel(context, key, (channelId) => poll(context, channelId)),
};
