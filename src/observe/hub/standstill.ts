import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import type { Source } from "../sources.ts";

/** Whether a shard, of which all is read that the hub has, has confirmed no block for longer than is usual. */
export function isStill(
  { block_left, newest_at }: Source,
  { clock, settings }: Pick<BotContext, "clock" | "settings">,
): boolean {
  const { hubStandstill } = settings;
  if (hubStandstill === undefined || block_left === null || newest_at === null) return false;
  return seconds(clock) - newest_at > hubStandstill;
}

/**
 * Throws where the hub itself says that it is so, or says nothing of it: that there is nothing new is not to be believed then.
 * Castellan's own network confirms blocks only for what was merged, and says that it is not late.
 */
export async function requireMotion(
  context: BotContext,
  shard: number | undefined,
  source: Source,
): Promise<void> {
  if (!isStill(source, context)) return;
  const info = await context.network.hub.info({}).catch(() => undefined);
  const delays = (info?.shardInfos ?? [])
    .filter(({ shardId }) => shardId === (shard ?? shardId))
    .map(({ blockDelay }) => (typeof blockDelay === "number" ? blockDelay : Infinity));
  if (delays.length > 0 && Math.min(...delays) <= (context.settings.hubStandstill ?? 0)) return;
  const since = new Date((source.newest_at ?? 0) * 1000).toISOString().slice(0, 19).replace("T", " ");
  throw new AppError(
    "network_failed",
    `The hub stands still: its newest block is of ${since} UTC. What happened since is not known.`,
  );
}
