// @ts-nocheck
import type { CommandContext } from "../../src/discord/command.ts";
import { AppError, asAppError } from "../../src/errors.ts";
import { listLinkedChannels } from "../../src/moderation/links.ts";
import { openChannel } from "../../src/moderation/open-channel.ts";

/** The linked channels whose cases the asker may see, and so why rules acted there. Throws `not_linked`, `not_allowed`. */
export async function openExplained(context: CommandContext): Promise<string[]> {
  const linked = await listLinkedChannels(context, context.asker.guildId);
  const allowed: string[] = [];
  let refusal: unknown = new AppError(
    "not_linked",
    "This server is linked to no channel yet: see /channel link.",
  );
  for (const channelId of linked) {
    try {
      await openChannel(context, context.asker, channelId, "view");
      allowed.push(channelId);
    } catch (error) {
      if (!asAppError(error, "not_allowed", "not_proven")) throw error;
      refusal = error;
    }
  }
  if (allowed.length === 0) throw refusal;
  return allowed;
}
