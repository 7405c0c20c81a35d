import { answer } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { endLockdown, findLockdown } from "../../src/rules/limits/lockdown.ts";
import { amount } from "../../src/text/amount.ts";
import { colors } from "../../src/text/colors.ts";
import { AppError } from "../../src/errors.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";

export const lift = answer({
  description: "End a lockdown of the channel now",
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
      throw new AppError("expired", "The rules were changed in the meantime. Try again.");
    }
    const description = `/${channelId} is not locked down any more. ${describeHidden(hidden)}`;
    return { embeds: [{ description, color: colors.good }] };
  },
});

function describeHidden(hidden: number): string {
  if (hidden === 0) return "It hid no cast.";
  return `It hid ${amount(hidden, "cast")}, which ${hidden === 1 ? "stays" : "stay"} hidden; /unhide shows one again.`;
}
