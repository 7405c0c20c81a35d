import { answer } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { readChannel } from "../../src/moderation/find-target.ts";
import { describeUser } from "../../src/observe/people.ts";
import { channelOption, chooseChannel, userOption } from "../shared/options.ts";
import { describeHistory } from "../shared/describe-history.ts";
import { describeStanding, readStanding } from "../shared/preview.ts";
import { textView } from "../../src/discord/view.ts";

export const memberInfo = answer({
  description: "A user's role in one channel, as the network shows it now",
  needs: "view",
  options: { user: userOption("Who: fid, @name or profile link"), channel: channelOption },
  async run(context, { user, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const right = await authorize(context, context.actor, channelId, "view");
    const channel = right.channel ?? (await readChannel(context, channelId));
    const standing = await readStanding(context, channel, user.fid);
    const lines = [
      `${describeUser(user)} · now: ${describeStanding(standing)}`,
      "",
      await describeHistory(context, channelId, user),
      "",
      "</who> shows them across all channels here.",
    ];
    return textView("plain", lines, { title: `In /${channelId}` });
  },
});
