import type { BotSettings } from "../bot-context.ts";
import type { Config } from "../config.ts";

/** How long a hub of the live network keeps events. */
const liveHubHours = 72;

/** The bot as it is configured. */
export function readBotSettings(config: Config): BotSettings {
  return {
    channelGuilds: config.CHANNEL_GUILDS,
    linkBase: config.LINK_BASE,
    hubShard: config.HUB_SHARD,
    hubCallsForPast: config.NETWORK === "live" ? 2 : 20,
    hubRetention: (config.NETWORK === "live" ? liveHubHours : config.HUB_HOURS) * 3600,
    history: { seconds: config.HISTORY_DAYS * 86_400, events: config.HISTORY_EVENTS },
  };
}
