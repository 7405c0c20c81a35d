import type { DiscordIds } from "../../src/server-config/find-unusable.ts";
import { importConfig } from "../../src/server-config/import-config.ts";

/** A Discord that has every role and user, and whose rooms all take posts. */
export const usableDiscord: DiscordIds = {
  lacksIn: async () => [],
  hasRole: async () => true,
  isUser: async () => true,
};

/** Imports a configuration as the command does: shows its changes first, and then makes these. */
export async function applyConfig(
  bot: Omit<Parameters<typeof importConfig>[0], "discord">,
  file: { guildId: string; source: string },
): Promise<string[]> {
  const context = { ...bot, discord: usableDiscord };
  const { digest } = await importConfig(context, file);
  return (await importConfig(context, { ...file, apply: digest })).changes;
}
