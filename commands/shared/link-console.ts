import type { CommandContext } from "../../src/discord/command-context.ts";

/** A link to the console for moderators who are in Discord; none where there is no console. */
export function linkConsole({ settings, actor }: CommandContext): string[] {
  const { consoleUrl } = settings;
  if (consoleUrl === undefined || actor.roomId === "") return [];
  return [`In a browser: [open the console](${consoleUrl}/${actor.guildId}/queue).`];
}
