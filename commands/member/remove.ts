import { z } from "zod";
import { confirm } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { describeUser } from "../../src/observe/people.ts";
import { channelOption, chooseChannel, reasonOption, userOption } from "../shared/options.ts";
import { describeHistory } from "../shared/describe-history.ts";
import { describeStanding, readStanding } from "../shared/preview.ts";
import { carryOut } from "../shared/show-case.ts";
import { textView } from "../../src/discord/view.ts";

export const removeMember = confirm({
  description: "Remove a member's role; they stay restricted",
  needs: "invite",
  options: {
    user: userOption("Who: fid, @name or profile link", "remove"),
    reason: reasonOption("Why; shown in the case"),
    channel: channelOption,
  },
  confirmLabel: "Remove",
  state: z.object({ channelId: z.string(), fid: z.int(), reason: z.string().optional() }),
  async preview(context, { user, reason, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const { channel } = await authorizeAction(context, context.actor, channelId, "invite");
    const standing = await readStanding(context, channel, user.fid);
    const who = `${describeUser(user)} · now: ${describeStanding(standing)}`;
    if (standing.role === "owner") {
      throw new AppError("cannot_remove_owner", "The owner of a channel cannot be removed.");
    }
    if (standing.role === "moderator") {
      throw new AppError(
        "not_owner",
        "A moderator can only be removed by the channel's owner in their own app.",
      );
    }
    if (standing.role === undefined) {
      const description = `${who}\nThey are not a member, so there is nothing to remove.`;
      return { view: textView("plain", description) };
    }
    const lines = [
      who,
      "",
      await describeHistory(context, channelId, user),
      "",
      "They lose their membership and become **restricted**. No invite link lets them in. They need a new invite, which they must accept.",
    ];
    return {
      view: textView("warning", lines, { title: `Remove from /${channelId}?` }),
      state: { channelId, fid: user.fid, reason },
    };
  },
  async act(context, { channelId, fid, reason }) {
    const { by } = await authorizeAction(context, context.actor, channelId, "invite");
    return carryOut(context, {
      channelId,
      kind: "remove_member",
      targetFid: fid,
      publicReason: reason,
      actor: by,
    });
  },
});
