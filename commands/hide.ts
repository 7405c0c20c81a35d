import { z } from "zod";
import { confirm, text } from "../src/discord/command.ts";
import { findCast, findName } from "../src/moderation/find-target.ts";
import { colors } from "../src/text/colors.ts";
import { authorizeForCast, castOption, channelOption } from "./shared/options.ts";
import { describeHistory } from "./shared/describe-history.ts";
import { describeCast } from "./shared/preview.ts";
import { carryOut } from "./shared/show-case.ts";

export const hide = confirm({
  description: "Hide a cast from the channel",
  options: {
    cast: castOption("Which cast: hash or link", { visible: "hide" }),
    reason: text({ description: "Why; shown in the case" }),
    channel: channelOption,
  },
  confirmLabel: "Hide",
  state: z.object({ channelId: z.string(), hash: z.string(), reason: z.string().optional() }),
  async preview(context, { cast, reason, channel: given }) {
    const { channel } = await authorizeForCast(context, cast, given, "hide");
    const fid = cast.known?.fid;
    const author = fid === undefined ? undefined : { fid, name: await findName(context, fid) };
    const history = author ? ["", await describeHistory(context, channel.id, author)] : [];
    const lines = [
      await describeCast(context, cast),
      ...history,
      "",
      "Hidden in the channel for everyone; /unhide shows it again. The replies to it stay.",
    ];
    return {
      view: {
        embeds: [
          { title: `Hide from /${channel.id}?`, description: lines.join("\n"), color: colors.warning },
        ],
      },
      state: { channelId: channel.id, hash: cast.hash, reason },
    };
  },
  async act(context, { channelId, hash, reason }) {
    const cast = await findCast(context, hash);
    const { by } = await authorizeForCast(context, cast, channelId, "hide");
    return carryOut(context, {
      channelId,
      kind: "hide",
      targetCast: hash,
      publicReason: reason,
      evidence: cast.known?.text,
      actor: by,
    });
  },
});
