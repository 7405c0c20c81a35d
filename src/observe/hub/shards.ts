import type { BotContext } from "../../bot-context.ts";
import { AppError, asAppError } from "../../errors.ts";

/** The shards are requested again after this long, even if the last request failed. */
const refreshAfterMs = 600_000;
/** The hub's timeout while shards are known. */
const refreshTimeoutMs = 5_000;
/** A hub that accepts more numbers for a shard ignores the number. */
const maxShards = 64;

/**
 * The shards whose events are read, each separately, because ids are unique only within a shard: HUB_SHARD, or all that
 * the hub lists. While the hub does not respond, the shards it listed last.
 */
export function createHubShards({
  network,
  clock,
  log,
  settings,
}: Pick<BotContext, "network" | "clock" | "log" | "settings">): BotContext["hubShards"] {
  let known: readonly number[] | undefined;
  let refreshedAt = -Infinity;
  return async () => {
    if (settings.hubShard !== undefined) return [settings.hubShard];
    if (known && clock.monotonic() - refreshedAt < refreshAfterMs) return known;
    refreshedAt = clock.monotonic();
    try {
      known = await findShards(network, known ? AbortSignal.timeout(refreshTimeoutMs) : undefined);
      return known;
    } catch (err) {
      if (!known) throw err;
      log.debug({ err }, "the hub did not name its shards");
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
    // Any response, even an error, means that the hub's events may show its shards.
    if (asAppError(error)?.status === undefined) throw error;
  }
  return probeShards(network, signal);
}

/** The shards that a hub lists or counts. Shard 0 has no events. A shard that is not on this node fails when read. */
export function listShards({ shardInfos = [], numShards = 0 }: ShardInfo): number[] {
  const named = shardInfos.map(({ shardId }) => shardId).filter((shard) => shard > 0);
  const counted = Array.from(
    { length: Math.max(0, Math.min(numShards, maxShards)) },
    (_, index) => index + 1,
  );
  return [...new Set([...named.slice(0, maxShards), ...counted])].toSorted((one, other) => one - other);
}

interface ShardInfo {
  shardInfos?: readonly { shardId: number }[] | undefined;
  numShards?: number | undefined;
}

/** Tries one after the other. Reading without a shard would apply one position to all shards, and miss events. */
async function probeShards(
  { hub }: BotContext["network"],
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  const shards: number[] = [];
  for (let shard = 1; shard <= maxShards; shard += 1) {
    try {
      const { events } = await hub.events({ shard_index: shard, page_size: 1, reverse: true }, { signal });
      // This hub ignores the number.
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
