import type { CommandContext } from "../../src/discord/command-context.ts";
import type { Need } from "../../src/discord/needs.ts";
import { listUnlinkable } from "../../src/moderation/authorize.ts";
import { capabilities } from "../../src/moderation/capabilities.ts";
import { listLinkedChannels } from "../../src/moderation/channel-links.ts";
import { suggestedChannels } from "../shared/suggestions.ts";

/** What the actor holds somewhere in this server. */
export async function listHeld(context: CommandContext): Promise<Set<Need>> {
  const { actor } = context;
  const held = new Set<Need>(["everyone"]);
  if (actor.managesServer) held.add("manage");
  if ((await listUnlinkable(context, actor)).length > 0) held.add("unlink");
  if ((await listLinkedChannels(context, actor.guildId, { suspended: false })).length > 0) held.add("linked");
  for (const capability of capabilities) {
    if ((await suggestedChannels(context, capability)).length > 0) held.add(capability);
  }
  return held;
}
