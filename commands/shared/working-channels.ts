import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { listLinkedChannels, notLinked } from "../../src/moderation/channel-links.ts";

/** The channels of this server whose link works, for what every member may use. Throws `not_linked`, or `not_proven` where all are suspended. */
export async function requireWorkingChannels(context: CommandContext): Promise<string[]> {
  const { guildId } = context.actor;
  const working = await listLinkedChannels(context, guildId, { suspended: false });
  if (working.length > 0) return working;
  if ((await listLinkedChannels(context, guildId)).length === 0) throw notLinked();
  throw new AppError(
    "not_proven",
    "No link of this server to a channel works just now. Tell its moderators.",
  );
}
