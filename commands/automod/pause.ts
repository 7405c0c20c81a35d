import { answer } from "../../src/discord/command.ts";
import { pauseRules } from "../../src/rules/limits/pause.ts";
import { channelOption, chooseChannelFor, durationOption, reasonOption } from "../shared/options.ts";
import { announceChange } from "./announce-change.ts";
import { describeTime } from "../../src/text/message-text.ts";
import { textView } from "../../src/discord/view.ts";

export const pause = answer({
  description: "Pause all rules of the channel at once; actions that are not sent yet are dropped",
  needs: "rules",
  options: {
    duration: durationOption("For how long, such as 2h; until /automod resume if left out"),
    reason: reasonOption("Why; shown in the feed rooms", { maxLength: 200 }),
    channel: channelOption,
  },
  async run(context, { duration, reason, channel: given }) {
    const channelId = await chooseChannelFor(context, given, "rules");
    const { database, clock, actor } = context;
    const until = duration === undefined ? null : clock.now() + duration * 1000;
    const { guildId, userId: pausedBy } = actor;
    await database.transaction(async (tx) => {
      await pauseRules(tx, clock, { guildId, channelId, pausedBy, reason: reason ?? null, until });
      await announceChange(context, tx, { channelId, paused: true, reason: reason ?? "", until });
    });
    const end = until === null ? "until /automod resume" : `until ${describeTime(until / 1000, "f")}`;
    const description = `Rules are paused in /${channelId} ${end}. They still record what they see, and timed bans still end.`;
    return textView("warning", description);
  },
});
