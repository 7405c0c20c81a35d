import { answer } from "../../src/discord/command.ts";
import { countInviteCalls, invitesAnHour } from "../../src/moderation/invite-budget.ts";
import { openChannel } from "../../src/moderation/open-channel.ts";
import { carryOut } from "../shared/carry-out.ts";
import { chooseChannel } from "../shared/choose-channel.ts";
import { channelOption, userOption } from "../shared/options.ts";

export const inviteMember = answer({
  description: "Invite a user to become a member; they have to follow the channel, and accept",
  options: { user: userOption("Whom: fid, @name or profile link"), channel: channelOption },
  async run(context, { user, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const { actorFid } = await openChannel(context, context.actor, channelId, "invite");
    const view = await carryOut(context, {
      channelId,
      kind: "invite",
      role: "member",
      targetFid: user.fid,
      actorFid,
    });
    const used = await countInviteCalls(context, channelId);
    const content = `Invites to /${channelId} in the last hour: ${used} of ${invitesAnHour}, shared by all its moderators here.`;
    return { ...view, content };
  },
});
