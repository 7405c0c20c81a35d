import type { BotContext } from "../../bot-context.ts";
import { asAppError } from "../../errors.ts";

/** Milliseconds until the hub is asked again which shards it has. */
const askAgainAfter = 600_000;

/**
 * The shards whose events are followed, each by itself, for ids are unique per shard only: the one that is set, or those
 * that the hub names. While the hub does not answer, those that it named last.
 */
export function createHubShards({
  network,
  clock,
  log,
  settings,
}: Pick<BotContext, "network" | "clock" | "log" | "settings">): BotContext["hubShards"] {
  let known: readonly (number | undefined)[] | undefined;
  let askedAt = -Infinity;
  return async () => {
    if (settings.hubShard !== undefined) return [settings.hubShard];
    if (known && clock.monotonic() - askedAt < askAgainAfter) return known;
    try {
      known = await askForShards(network);
      askedAt = clock.monotonic();
      return known;
    } catch (err) {
      if (!known) throw err;
      log.debug({ err }, "the hub does not say which shards it has");
      return known;
    }
  };
}

async function askForShards({ hub }: BotContext["network"]): Promise<readonly (number | undefined)[]> {
  try {
    const { shardInfos, numShards } = await hub.info({});
    // Block shard 0 has no events.
    const named = shardInfos.map(({ shardId }) => shardId).filter((shard) => shard > 0);
    const shards = named.length > 0 ? named : Array.from({ length: numShards }, (_, index) => index + 1);
    return shards.length > 0 ? shards.toSorted((one, other) => one - other) : [undefined];
  } catch (error) {
    // Ours had no such route before, and one stream.
    if (asAppError(error)?.status === 404) return [undefined];
    throw error;
  }
}
