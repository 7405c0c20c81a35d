import { answer } from "../../src/discord/command.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { countInviteCalls, invitesAnHour } from "../../src/moderation/cases/case.ts";
import { channelOption, chooseChannel, userOption } from "../shared/options.ts";
import { carryOut } from "../shared/show-case.ts";

export const inviteMember = answer({
  description: "Invite a user to become a member; they must follow the channel and accept",
  needs: "invite",
  options: { user: userOption("Who: fid, @name or profile link", "invite"), channel: channelOption },
  async run(context, { user, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const { by } = await authorizeAction(context, context.actor, channelId, "invite");
    const view = await carryOut(context, {
      channelId,
      kind: "invite",
      role: "member",
      targetFid: user.fid,
      actor: by,
    });
    const used = (await countInviteCalls(context, [channelId])).get(channelId) ?? 0;
    const content = `Invites to /${channelId} in the last hour: ${used} of ${invitesAnHour}, shared by all its moderators here.`;
    return { ...view, content };
  },
});
