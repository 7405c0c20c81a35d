import { answer } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { findName, readChannel } from "../../src/moderation/find-target.ts";
import { describeUser } from "../../src/observe/people.ts";
import { channelOption, chooseChannel, userOption } from "../shared/options.ts";
import { describeStanding, readStanding } from "../shared/preview.ts";
import { textView } from "../../src/discord/view.ts";

/** Only the owner's key can do this, and Castellan has only the bot's, so it explains what the owner has to do. */
export const inviteModerator = answer({
  description: "How a user becomes a moderator; only the channel's owner can invite them",
  needs: "view",
  options: {
    user: userOption("Who: fid, @name or profile link", "invite-moderator"),
    channel: channelOption,
  },
  async run(context, { user, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const right = await authorize(context, context.actor, channelId, "view");
    const channel = right.channel ?? (await readChannel(context, channelId));
    const standing = await readStanding(context, channel, user.fid);
    const owner =
      channel.leadFid === undefined
        ? "its owner (the network does not show who that is)"
        : describeUser({ fid: channel.leadFid, name: await findName(context, channel.leadFid) });
    const isBot = user.fid === context.botFid;
    const needsMember = !isBot && standing.role === undefined;
    const lines = [
      `${describeUser(user)} · now: ${describeStanding(standing)}`,
      "",
      `Only the owner of /${channelId}, ${owner}, can change who moderates it. Castellan holds only its own key and cannot do it for them.`,
      "",
      ...(needsMember ? ["0. They must be a member first: `/invite member`."] : []),
      `1. The owner opens /${channelId} in their Farcaster app, then the channel's settings and members.`,
      `2. They invite ${describeUser(user)} as moderator. A channel has at most ten, invites included.`,
      isBot
        ? "3. Castellan is active at once; /status says so."
        : "3. The invited user accepts in their own app.",
    ];
    return textView("plain", lines, { title: "Inviting a moderator" });
  },
});
