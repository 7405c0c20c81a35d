import { sql } from "kysely";
import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import type { RuleContext } from "../context.ts";
import { findRules } from "./rules-of-server.ts";

/** Announces, once per version and channel, that the active rules cannot be read, so none of them acts. */
export async function announceUnreadable(context: RuleContext): Promise<void> {
  const events: NewChannelEvent[] = [];
  for (const { guildId, channels } of await findServers(context)) {
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

/** Servers with active rules, and the channels these cover. */
async function findServers({ database }: RuleContext): Promise<{ guildId: string; channels: string[] }[]> {
  const { rows } = await sql<{ guildId: string; channels: string[] }>`
    select guild_id as "guildId", array_agg(links.channel_id order by links.channel_id) as channels
    from castellan.rules_in_force join castellan.links using (guild_id)
    where links.suspended_at_ms is null
    group by guild_id
  `.execute(database.query);
  return rows;
}
