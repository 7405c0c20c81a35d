import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import type { RuleContext } from "../context.ts";
import { findRules, findServers } from "./rules-of-server.ts";

/** Announces, once per version and channel, that the active rules cannot be read, so none of them acts. */
export async function announceUnreadable(context: RuleContext): Promise<void> {
  const events: NewChannelEvent[] = [];
  for (const { guildId, channels } of await findServers(context.database)) {
    const rules = await findRules(context, guildId);
    if (!rules?.unreadable) continue;
    const { version, unreadable } = rules;
    const mistakes = unreadable.mistakes.slice(0, 5).map(({ path, message }) => `${path}: ${message}`);
    for (const channelId of channels) {
      events.push(
        newEvent(context.clock.now(), {
          sourceKey: `unreadable ${guildId} ${channelId} ${version}`,
          kind: "rules.unreadable",
          channelId,
          data: { guildId, version, mistakes },
        }),
      );
    }
  }
  if (events.length === 0) return;
  await context.database.transaction((tx) => context.appendEvents(tx, events));
}
