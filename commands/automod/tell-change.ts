import type { CommandContext } from "../../src/discord/command-context.ts";
import { newEvent } from "../../src/observe/event.ts";

interface Change {
  channelId: string;
  paused: boolean;
  reason: string;
  /** UNIX milliseconds. */
  until: number | null;
}

/** Tells the rooms who stopped the rules, or let them act. Last in its transaction, as every event. */
export async function tellChange(
  { appendEvents, clock, actor }: CommandContext,
  tx: Parameters<CommandContext["appendEvents"]>[0],
  { channelId, paused, reason, until }: Change,
): Promise<void> {
  const { guildId, userId } = actor;
  const now = clock.now();
  await appendEvents(tx, [
    newEvent(now, {
      sourceKey: `automod ${guildId} ${channelId} ${paused} ${now}`,
      kind: "automod.changed",
      channelId,
      data: { guildId, paused, userId, reason, until: until === null ? null : Math.floor(until / 1000) },
    }),
  ]);
}
