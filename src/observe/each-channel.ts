import type { ObserveContext } from "./append-events.ts";
import { listWatched } from "./find-watched.ts";

/** Channels that are polled side by side. */
const parallel = 4;

/**
 * Makes a poll of one channel into a worker's run, which polls every linked channel, or only the one that it was woken for.
 * A channel that cannot be read (its fault is noted with its source) keeps no other from being read; the run throws when
 * none could.
 */
export function eachChannel(poll: (context: ObserveContext, channelId: string) => Promise<void>) {
  return async (context: ObserveContext, { key }: { key: string | undefined }): Promise<void> => {
    const open = key === undefined ? await listWatched(context.database.query) : [key];
    const count = open.length;
    const failures: unknown[] = [];
    const work = async (): Promise<void> => {
      for (let channelId = open.shift(); channelId !== undefined; channelId = open.shift()) {
        await poll(context, channelId).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: Math.min(parallel, count) }, work));
    if (count > 0 && failures.length === count) throw failures[0];
  };
}
