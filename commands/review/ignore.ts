import type { CommandContext } from "../../src/discord/command-context.ts";
import { answer, flag, person } from "../../src/discord/command.ts";
import { maxListText } from "../../src/limits/discord-limits.ts";
import { recordSetupChange } from "../../src/observe/setup-changes.ts";
import { ignoreReporter, listIgnored, unignoreReporter } from "../../src/reviews/ignored-reporters.ts";
import { describeTime, fitLinesOrCount } from "../../src/text/message-text.ts";
import { showUser } from "../../src/text/show-doer.ts";
import { channelOption, chooseChannelFor } from "../shared/options.ts";
import { refuseUseless } from "../shared/targets.ts";
import { textView, type View } from "../../src/discord/view.ts";

export const ignoreReports = answer({
  description:
    "Ignore a member's reports in a channel, or accept them again; without a user, lists the ignored",
  needs: "hide",
  console: true,
  options: {
    user: person({ description: "Whose reports to ignore; earlier reports are kept" }),
    end: flag("Accept their reports again"),
    channel: channelOption,
  },
  async run(context, { user: userId, end, channel: given }) {
    const channelId = await chooseChannelFor(context, given, "hide");
    if (userId === undefined) {
      refuseUseless({ end }, "needs a `user`");
      return showIgnored(context, channelId);
    }
    const { guildId, userId: byUser } = context.actor;
    const reporter = { guildId, channelId, userId };
    const { database, clock } = context;
    const isNew = await database.transaction(async (tx) => {
      const changed = end
        ? await unignoreReporter(tx, reporter)
        : await ignoreReporter(tx, clock, reporter, byUser);
      const what = `${end ? "accepts" : "ignores"} the reports of <@${userId}> in /${channelId}`;
      const change = { guildId, channelId, kind: "links", userId: byUser, what } as const;
      if (changed) await recordSetupChange(context, tx, change);
      return changed;
    });
    const state = end
      ? isNew
        ? "accepted again."
        : "not ignored."
      : isNew
        ? "ignored from now on, and they are told so when they try. With `end` they are accepted again."
        : "ignored already.";
    return textView(isNew ? "good" : "plain", `Reports of <@${userId}> in /${channelId} are ${state}`);
  },
});

async function showIgnored({ database, actor }: CommandContext, channelId: string): Promise<View> {
  const ignored = await listIgnored(database.query, actor.guildId, channelId);
  const lines = ignored.map(
    (one) => `<@${one.user_id}> · by ${showUser(one.ignored_by)} ${describeTime(one.ignored_at_ms / 1000)}`,
  );
  const description =
    lines.length === 0 ? "Nobody. Every member can report." : fitLinesOrCount(lines, maxListText);
  return textView("plain", description, { title: `Ignored reporters in /${channelId}` });
}
