import { answer } from "../../src/discord/command.ts";
import { openChannel } from "../../src/moderation/open-channel.ts";
import { carryOut } from "../shared/carry-out.ts";
import { chooseChannel } from "../shared/choose-channel.ts";
import { channelOption } from "../shared/options.ts";

export const clearPin = answer({
  description: "Unpin what is pinned in the channel",
  options: { channel: channelOption },
  async run(context, { channel: given }) {
    const channelId = await chooseChannel(context, given);
    const { channel, actorFid } = await openChannel(context, context.actor, channelId, "pin");
    return carryOut(context, { channelId, kind: "unpin", targetCast: channel.pinnedCastHash, actorFid });
  },
});
