import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import type { Source } from "../sources.ts";

/** Whether the newest block of a fully read shard is older than usual. */
export function isStalled(
  { block_left, newest_at }: Source,
  { clock, settings }: Pick<BotContext, "clock" | "settings">,
): boolean {
  const { hubStalledAfter } = settings;
  if (hubStalledAfter === undefined || block_left === null || newest_at === null) return false;
  return seconds(clock) - newest_at > hubStalledAfter;
}

/**
 * Throws if a shard looks stalled, unless the hub reports that its blocks are not late: otherwise "nothing new" cannot be
 * trusted. Castellan's own network confirms blocks only when something is merged, and reports that it is not late.
 */
export async function assertNotStalled(
  context: BotContext,
  shard: number | undefined,
  source: Source,
): Promise<void> {
  if (!isStalled(source, context)) return;
  const info = await context.network.hub.info({}).catch(() => undefined);
  const delays = (info?.shardInfos ?? [])
    .filter(({ shardId }) => shardId === (shard ?? shardId))
    .map(({ blockDelay }) => (typeof blockDelay === "number" ? blockDelay : Infinity));
  if (delays.length > 0 && Math.min(...delays) <= (context.settings.hubStalledAfter ?? 0)) return;
  const since = new Date((source.newest_at ?? 0) * 1000).toISOString().slice(0, 19).replace("T", " ");
  throw new AppError(
    "network_failed",
    `The hub has stalled: its newest block is from ${since} UTC. Later events are unknown.`,
  );
}
