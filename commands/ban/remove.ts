import { z } from "zod";
import { confirm } from "../../src/discord/command.ts";
import { authorizeAction } from "../../src/moderation/authorize.ts";
import { describeUser } from "../../src/observe/people.ts";
import { channelOption, chooseChannel, reasonOption, userOption } from "../shared/options.ts";
import { describeHistory } from "../shared/describe-history.ts";
import { readStanding } from "../shared/preview.ts";
import { carryOut } from "../shared/show-case.ts";
import { textView } from "../../src/discord/view.ts";

export const removeBan = confirm({
  description: "Lift a ban; the user stays restricted",
  needs: "ban",
  console: true,
  options: {
    user: userOption("Who: fid, @name or profile link", "unban"),
    reason: reasonOption("Why; shown in the case"),
    channel: channelOption,
  },
  confirmLabel: "Lift the ban",
  state: z.object({ channelId: z.string(), fid: z.int(), reason: z.string().optional() }),
  async preview(context, { user, reason, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const { channel } = await authorizeAction(context, context.actor, channelId, "ban");
    const standing = await readStanding(context, channel, user.fid);
    if (!standing.banned) {
      const description = `${describeUser(user)} is not banned from /${channelId}. Nothing to lift.`;
      return { view: textView("plain", description) };
    }
    const lines = [
      describeUser(user),
      "",
      await describeHistory(context, channelId, user),
      "",
      "Their replies show again, and new ones appear below the fold: the user stays **restricted**.",
      "**What this does not bring back:** the role they had. For that, invite them; they must accept.",
      "Casts that were hidden one by one stay hidden (/unhide).",
    ];
    return {
      view: textView("warning", lines, { title: `Lift the ban from /${channelId}?` }),
      state: { channelId, fid: user.fid, reason },
    };
  },
  async act(context, { channelId, fid, reason }) {
    const { by } = await authorizeAction(context, context.actor, channelId, "ban");
    return carryOut(context, { channelId, kind: "unban", targetFid: fid, publicReason: reason, actor: by });
  },
});
