import type { ObserveContext } from "../src/observe/append-events.ts";
import { eachChannel } from "../src/observe/each-channel.ts";
import { pollFollowers as poll } from "../src/observe/followers/poll-followers.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Looks for new followers of the channels whose rules listen for them. */
export const pollFollowers: Worker<ObserveContext> = {
  name: "poll-followers",
  every: 10_000,
  run: (context, { key }) => eachChannel(context, key, (channelId) => poll(context, channelId)),
};
