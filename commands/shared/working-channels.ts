import type { CommandContext } from "../../src/discord/command-context.ts";
import { TranslatedError } from "../../src/languages/translated-error.ts";
import { listLinkedChannels, notLinked } from "../../src/moderation/channel-links.ts";

/** The server's channels with a working link, for commands open to every member. Throws `not_linked`, or `not_proven` if all are suspended. */
export async function requireWorkingChannels(context: CommandContext): Promise<string[]> {
  const { guildId } = context.actor;
  const working = await listLinkedChannels(context, guildId, { suspended: false });
  if (working.length > 0) return working;
  if ((await listLinkedChannels(context, guildId)).length === 0) throw notLinked();
  throw new TranslatedError("not_proven", ({ links }) => links.noneWorks);
}
