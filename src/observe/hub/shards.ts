import type { BotContext } from "../../bot-context.ts";
import { AppError, asAppError } from "../../errors.ts";

/** Milliseconds until the hub is asked again which shards it has, whether it said so or not. */
const askAgainAfter = 600_000;
/** What is known already waits so long for an answer, in milliseconds. */
const patience = 5_000;
/** A hub that takes more numbers than this for a shard does not look at them. */
const mostShards = 64;

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
  let known: readonly number[] | undefined;
  let askedAt = -Infinity;
  return async () => {
    if (settings.hubShard !== undefined) return [settings.hubShard];
    if (known && clock.monotonic() - askedAt < askAgainAfter) return known;
    askedAt = clock.monotonic();
    try {
      known = await findShards(network, known ? AbortSignal.timeout(patience) : undefined);
      return known;
    } catch (err) {
      if (!known) throw err;
      log.debug({ err }, "the hub does not say which shards it has");
      return known;
    }
  };
}

async function findShards(
  network: BotContext["network"],
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  try {
    const named = listShards(await network.hub.info({}, { signal }));
    if (named.length > 0) return named;
  } catch (error) {
    // Of one that answers, in whatever manner, its events may tell.
    if (asAppError(error)?.status === undefined) throw error;
  }
  return probeShards(network, signal);
}

/** The shards that a hub names or counts. Shard 0 has no events; one that is not on this node shows when it is asked for. */
export function listShards({ shardInfos = [], numShards = 0 }: ShardInfo): number[] {
  const named = shardInfos.map(({ shardId }) => shardId).filter((shard) => shard > 0);
  const counted = Array.from(
    { length: Math.max(0, Math.min(numShards, mostShards)) },
    (_, index) => index + 1,
  );
  return [...new Set([...named.slice(0, mostShards), ...counted])].toSorted((one, other) => one - other);
}

interface ShardInfo {
  shardInfos?: readonly { shardId: number }[] | undefined;
  numShards?: number | undefined;
}

/** Tries one after the other. To read without a shard would be to read all of them by one position, and to miss events. */
async function probeShards(
  { hub }: BotContext["network"],
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  const shards: number[] = [];
  for (let shard = 1; shard <= mostShards; shard += 1) {
    try {
      const { events } = await hub.events({ shard_index: shard, page_size: 1, reverse: true }, { signal });
      // As a hub does that does not look at the number.
      if (events.some(({ shardIndex }) => typeof shardIndex === "number" && shardIndex !== shard)) break;
      shards.push(shard);
    } catch (error) {
      const { status = 0 } = asAppError(error) ?? {};
      if (status !== 400 && status !== 404) throw error;
      if (shards.length > 0) return shards;
      break;
    }
  }
  throw new AppError(
    "invalid_configuration",
    "The hub does not say which shards it has. Set HUB_SHARD to the one to follow (1 or 2 on the live network).",
  );
}
