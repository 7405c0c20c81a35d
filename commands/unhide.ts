import { answer } from "../src/discord/command.ts";
import { authorizeForCast, castOption, channelOption, reasonOption } from "./shared/options.ts";
import { carryOut } from "./shared/show-case.ts";
import { suggestCastsFor } from "./shared/suggestions.ts";

export const unhide = answer({
  description: "Show a hidden cast again",
  needs: "hide",
  console: true,
  options: {
    cast: castOption("Which cast: hash or link", suggestCastsFor({ hidden: "hide" })),
    reason: reasonOption("Why; shown in the case"),
    channel: channelOption,
  },
  async run(context, { cast, reason, channel: given }) {
    const { channel, by } = await authorizeForCast(context, cast, given, "hide");
    return carryOut(context, {
      channelId: channel.id,
      kind: "unhide",
      targetCast: cast.hash,
      publicReason: reason,
      evidence: cast.known,
      actor: by,
    });
  },
});
