import { z } from "zod";
import type { BotContext } from "../bot-context.ts";
import type { RulesContext } from "../rules/versions/rules-of-server.ts";
import { writeConfigFile } from "../server-config/config-file.ts";
import type { DiscordIds } from "../server-config/find-unusable.ts";
import { importConfig } from "../server-config/import-config.ts";
import { readConfig } from "../server-config/read-config.ts";
import type { Health } from "./health.ts";
import { offerTask, ServerId } from "./operator-tasks.ts";

/**
 * Serves `castellan export config` and `import config`: a server's configuration as a file. Each import reads Discord again
 * (`openDiscord`).
 */
export function offerConfig(
  health: Health,
  bot: BotContext & RulesContext,
  openDiscord: () => Promise<DiscordIds>,
): void {
  offerTask(health, "config", z.strictObject({ server: ServerId }), async ({ server }) => ({
    text: writeConfigFile(await readConfig(bot, server)),
  }));
  const Import = z.strictObject({ server: ServerId, source: z.string(), apply: z.string().optional() });
  offerTask(health, "config-import", Import, async ({ server: guildId, source, apply }) =>
    importConfig({ ...bot, discord: await openDiscord() }, { guildId, source, apply }),
  );
}
