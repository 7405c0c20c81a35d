import type { ObserveContext } from "./append-events.ts";
import { listWatched } from "./find-watched.ts";

/** Channels that are looked at side by side. */
const parallel = 4;

/**
 * Looks at every linked channel, or at the one that is named. A channel that cannot be read (its own fault is
 * noted with its source) keeps no other from being read; throws when none could.
 */
export async function eachChannel(
  context: ObserveContext,
  only: string | undefined,
  look: (channelId: string) => Promise<void>,
): Promise<void> {
  const open = only === undefined ? await listWatched(context.database.query) : [only];
  const count = open.length;
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let channelId = open.shift(); channelId !== undefined; channelId = open.shift()) {
      await look(channelId).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, work));
  if (count > 0 && failures.length === count) throw failures[0];
}
