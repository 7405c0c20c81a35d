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

/** Throws where it is so: that there is nothing new is not to be believed then. */
export function requireMotion(source: Source, context: BotContext): void {
  if (!isStill(source, context)) return;
  const since = new Date((source.newest_at ?? 0) * 1000).toISOString().slice(0, 19).replace("T", " ");
  throw new AppError(
    "network_failed",
    `The hub stands still: its newest block is of ${since} UTC. What happened since is not known.`,
  );
}
