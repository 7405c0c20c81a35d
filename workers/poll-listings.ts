import type { ObserveContext } from "../src/observe/append-events.ts";
import { eachChannel } from "../src/observe/each-channel.ts";
import { pollListings as poll } from "../src/observe/listings/poll-listings.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Compares bans, restrictions, invites, members and the channel's record; woken with a channel's id, only there. */
export const pollListings: Worker<ObserveContext> = {
  name: "poll-listings",
  every: 10_000,
  run: (context, { key }) => eachChannel(context, key, (channelId) => poll(context, channelId)),
};
