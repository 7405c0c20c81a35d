// @ts-nocheck
import type { ObserveContext } from "../src/observe/append-events.ts";
import { eachChannel } from "../src/observe/each-channel.ts";
import { pokeFollowers } from "../src/observe/poke-followers.ts";
import { pollRecords as poll } from "../src/observe/records/poll-records.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Reads who hid and showed what in linked channels; poked with a channel's id, only there. */
export const pollRecords: Worker<ObserveContext> = {
  name: "poll-records",
  every: 2000,
  run: (context, { key }) =>
    pokeFollowers(context, (own) => eachChannel(own, key, (channelId) => poll(own, channelId))),
};
