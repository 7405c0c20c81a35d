import { answer } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { endLockdown, findLockdown } from "../../src/rules/limits/lockdown.ts";
import { describeHidden } from "../../src/text/hidden-by-lockdown.ts";
import { colors } from "../../src/text/colors.ts";
import { AppError } from "../../src/errors.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";

export const lift = answer({
  description: "End a lockdown of the channel now",
  needs: "rules",
  options: { channel: channelOption },
  async run(context, { channel: given }) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "rules");
    const { database, actor } = context;
    const running = await findLockdown(database.query, actor.guildId, channelId);
    if (!running) {
      return { embeds: [{ description: `/${channelId} is not locked down.`, color: colors.plain }] };
    }
    const hidden = await endLockdown(context, running, actor.userId);
    if (hidden === undefined) {
      throw new AppError("expired", "The lockdown was changed in the meantime. Try again.");
    }
    const description = `/${channelId} is not locked down any more. ${describeHidden(hidden, "; /unhide shows one again")}`;
    return { embeds: [{ description, color: colors.good }] };
  },
});
