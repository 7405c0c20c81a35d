import { answer } from "../../src/discord/command.ts";
import { text } from "../../src/discord/option.ts";
import { colors } from "../../src/discord/view.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { pauseRules } from "../../src/rules/limits/pause.ts";
import { chooseChannel } from "../shared/choose-channel.ts";
import { describeTime } from "../shared/describe.ts";
import { channelOption, durationOption } from "../shared/options.ts";
import { tellChange } from "./tell-change.ts";

export const pause = answer({
  description: "Stop all rules of the channel at once; what they asked for and is not sent yet is dropped",
  options: {
    duration: durationOption("For how long, such as 2h; until /automod resume when left out"),
    reason: text({ description: "Why; told in the rooms", maxLength: 200 }),
    channel: channelOption,
  },
  async run(context, { duration, reason, channel: given }) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "rules");
    const { database, clock, actor } = context;
    const until = duration === undefined ? null : clock.now() + duration * 1000;
    const { guildId, userId: pausedBy } = actor;
    await database.transaction(async (tx) => {
      await pauseRules(tx, clock, { guildId, channelId, pausedBy, reason: reason ?? null, until });
      await tellChange(context, tx, { channelId, paused: true, reason: reason ?? "", until });
    });
    const end = until === null ? "until /automod resume" : `until ${describeTime(until / 1000, "f")}`;
    const description = `Rules do nothing in /${channelId} ${end}. They still write down what they see; bans end in their time.`;
    return { embeds: [{ description, color: colors.warning }] };
  },
});
