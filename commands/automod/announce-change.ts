import type { Tx } from "../../src/database/database.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { newEvent } from "../../src/observe/events.ts";
import { recordSetupChange } from "../../src/observe/setup-changes.ts";

interface Change {
  channelId: string;
  paused: boolean;
  reason: string;
  /** UNIX milliseconds. */
  until: number | null;
}

/** Tells the feed rooms who paused the rules, or let them act again. Last in its transaction, as every event. */
export async function announceChange(
  { appendEvents, clock, actor }: CommandContext,
  tx: Tx,
  { channelId, paused, reason, until }: Change,
): Promise<void> {
  const { guildId, userId } = actor;
  const now = clock.now();
  const what = `${paused ? "paused the rules" : "let the rules act again"} in /${channelId}`;
  await recordSetupChange({ clock }, tx, { guildId, channelId, kind: "automod", userId, what });
  await appendEvents(tx, [
    newEvent(now, {
      sourceKey: `automod ${guildId} ${channelId} ${paused} ${now}`,
      kind: "automod.changed",
      channelId,
      data: { guildId, paused, userId, reason, until: until === null ? null : Math.floor(until / 1000) },
    }),
  ]);
}
