import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import type { FoundCast } from "../../src/moderation/find-target.ts";
import { authorizeForCast } from "../shared/options.ts";
import { runCase } from "../shared/show-case.ts";

/** Shows a hidden cast again at once, no matter who hid it. */
export async function showAgain(
  context: CommandContext,
  cast: FoundCast,
  asked: { reason: string | undefined; channel: string | undefined },
): Promise<View> {
  const { channel, by } = await authorizeForCast(context, cast, asked.channel, "hide");
  return runCase(context, {
    channelId: channel.id,
    kind: "unhide",
    targetCast: cast.hash,
    publicReason: asked.reason,
    evidence: cast.known,
    actor: by,
  });
}
