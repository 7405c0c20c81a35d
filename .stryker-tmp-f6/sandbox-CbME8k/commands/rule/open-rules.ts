// @ts-nocheck
import type { CommandContext } from "../../src/discord/command.ts";
import { AppError, asAppError } from "../../src/errors.ts";
import { listLinkedChannels } from "../../src/moderation/links.ts";
import { openChannel } from "../../src/moderation/open-channel.ts";

/**
 * Rules belong to the server and act in all its channels: whoever changes them needs the capability "rules" in each,
 * whoever reads them in one. Gives the linked channels. Throws `not_linked`, `not_allowed`, `not_proven`.
 */
export async function openRules(context: CommandContext, purpose: "read" | "change"): Promise<string[]> {
  const linked = await listLinkedChannels(context, context.asker.guildId);
  if (linked.length === 0) {
    throw new AppError(
      "not_linked",
      "This server is linked to no channel yet. An owner or moderator of a channel links it with /channel link.",
    );
  }
  let refusal: unknown;
  for (const channelId of linked) {
    try {
      await openChannel(context, context.asker, channelId, "rules");
      if (purpose === "read") return linked;
    } catch (error) {
      if (purpose === "change" || !asAppError(error, "not_allowed", "not_proven")) throw error;
      refusal = error;
    }
  }
  if (refusal !== undefined) throw refusal;
  return linked;
}
