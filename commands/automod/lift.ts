import { answer } from "../../src/discord/command.ts";
import { endLockdown, findLockdown } from "../../src/rules/limits/lockdown.ts";
import { describeHidden } from "../../src/text/hidden-by-lockdown.ts";
import { AppError } from "../../src/errors.ts";
import { channelOption, chooseChannelFor } from "../shared/options.ts";
import { textView } from "../../src/discord/view.ts";

export const lift = answer({
  description: "End a lockdown of the channel now",
  needs: "rules",
  options: { channel: channelOption },
  async run(context, { channel: given }) {
    const channelId = await chooseChannelFor(context, given, "rules");
    const { database, actor } = context;
    const running = await findLockdown(database.query, actor.guildId, channelId);
    if (!running) {
      return textView("plain", `/${channelId} is not locked down.`);
    }
    const hidden = await endLockdown(context, running, actor.userId);
    if (hidden === undefined) {
      throw new AppError("expired", "The lockdown was changed in the meantime. Try again.");
    }
    const description = `/${channelId} is not locked down any more. ${describeHidden(hidden, "; /unhide shows one again")}`;
    return textView("good", description);
  },
});
