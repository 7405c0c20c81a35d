import type { BotSettings } from "../bot-context.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { createChannelGuilds } from "./channel-guilds.ts";

/** Maximum age of the live network's newest block in seconds. Each shard confirms a block per second. */
const liveHubStalledAfter = 120;

/** The bot's configuration. Throws `invalid_configuration` if a file that it names cannot be read. */
export function readBotSettings(config: Config, log: Log): BotSettings {
  return {
    channelGuilds: createChannelGuilds(config, log),
    linkBase: "https://farcaster.xyz",
    hubShard: config.HUB_SHARD,
    hubSeconds: config.HUB_SECONDS,
    hubCallsForPast: config.NETWORK === "live" ? 2 : 20,
    hubStalledAfter: config.NETWORK === "live" ? liveHubStalledAfter : undefined,
    hubRetention: config.HUB_HOURS * 3600,
    linkLists: { named: config.LINK_LISTS, everySeconds: 3600 },
    webhookHosts: config.WEBHOOK_HOSTS,
    history: readHistory(config),
  };
}

export function readHistory({ HISTORY_DAYS }: Config): BotSettings["history"] {
  return { seconds: HISTORY_DAYS * 86_400, events: 1_000_000 };
}
