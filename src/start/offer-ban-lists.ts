import { z } from "zod";
import type { BotContext } from "../bot-context.ts";
import { importBans } from "../moderation/bulks/import-bans.ts";
import type { Health } from "./health.ts";
import { offerTask, ServerId } from "./operator-tasks.ts";

const BanList = z.strictObject({
  server: ServerId,
  channel: z.string(),
  source: z.string(),
  apply: z.boolean(),
});

/** Serves `castellan import bans`: compares a list of bans with a channel, and begins a bulk with those that are new. */
export function offerBanLists(health: Health, bot: BotContext): void {
  offerTask(health, "bans", BanList, ({ server: guildId, channel: channelId, source, apply }) =>
    importBans(bot, { guildId, channelId, source, apply }),
  );
}
