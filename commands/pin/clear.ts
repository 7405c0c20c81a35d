import { answer } from "../../src/discord/command.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";
import { runCase } from "../shared/show-case.ts";

export const clearPin = answer({
  description: "Unpin the pinned cast in the channel",
  needs: "pin",
  options: { channel: channelOption },
  async run(context, { channel: given }) {
    const channelId = await chooseChannel(context, given);
    const { channel, by } = await authorizeAction(context, context.actor, channelId, "pin");
    return runCase(context, {
      channelId,
      kind: "unpin",
      targetCast: channel.pinnedCastHash,
      actor: by,
    });
  },
});
