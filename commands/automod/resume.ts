import { answer } from "../../src/discord/command.ts";
import { resumeRules } from "../../src/rules/limits/pause.ts";
import { channelOption, chooseChannelFor } from "../shared/options.ts";
import { announceChange } from "./announce-change.ts";
import { textView } from "../../src/discord/view.ts";

export const resume = answer({
  description: "Let the rules of the channel act again",
  needs: "rules",
  options: { channel: channelOption },
  async run(context, { channel: given }) {
    const channelId = await chooseChannelFor(context, given, "rules");
    const { database, clock, actor } = context;
    const resumed = await database.transaction(async (tx) => {
      const ended = await resumeRules(tx, clock, actor.guildId, channelId);
      if (ended) await announceChange(context, tx, { channelId, paused: false, reason: "", until: null });
      return ended;
    });
    const description = resumed
      ? `Rules act in /${channelId} again. They do not catch up on what happened meanwhile.`
      : `Rules were not paused in /${channelId}.`;
    return textView(resumed ? "good" : "plain", description);
  },
});
