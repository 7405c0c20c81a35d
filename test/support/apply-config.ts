import { importConfig } from "../../src/server-config/import-config.ts";

/** Imports a configuration as the command does: shows its changes first, and then makes these. */
export async function applyConfig(
  context: Parameters<typeof importConfig>[0],
  file: { guildId: string; source: string },
): Promise<string[]> {
  const { digest } = await importConfig(context, file);
  return (await importConfig(context, { ...file, apply: digest })).changes;
}
