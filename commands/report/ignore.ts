import { answer, person } from "../../src/discord/command.ts";
import { maxListText } from "../../src/limits/discord-limits.ts";
import { recordSetupChange } from "../../src/observe/setup-changes.ts";
import { ignoreReporter, listIgnored, unignoreReporter } from "../../src/reviews/ignored-reporters.ts";
import { describeTime, fitLinesOrCount } from "../../src/text/message-text.ts";
import { showUser } from "../../src/text/show-doer.ts";
import { channelOption, chooseChannelFor } from "../shared/options.ts";
import { textView } from "../../src/discord/view.ts";

export const ignoreReports = answer({
  description: "Ignore a member's reports in a channel; without a user, lists ignored members",
  needs: "hide",
  console: true,
  options: {
    user: person({ description: "Whose reports to ignore; earlier reports are kept" }),
    channel: channelOption,
  },
  async run(context, { user: userId, channel: given }) {
    const channelId = await chooseChannelFor(context, given, "hide");
    const { guildId, userId: byUser } = context.actor;
    const { database, clock } = context;
    if (userId === undefined) {
      const ignored = await listIgnored(database.query, guildId, channelId);
      const lines = ignored.map(
        (one) =>
          `<@${one.user_id}> · by ${showUser(one.ignored_by)} ${describeTime(one.ignored_at_ms / 1000)}`,
      );
      const description =
        lines.length === 0 ? "Nobody. Every member can report." : fitLinesOrCount(lines, maxListText);
      return textView("plain", description, { title: `Ignored reporters in /${channelId}` });
    }
    const isNew = await database.transaction(async (tx) => {
      const ignored = await ignoreReporter(tx, clock, { guildId, channelId, userId }, byUser);
      const what = `ignores the reports of <@${userId}> in /${channelId}`;
      const change = { guildId, channelId, kind: "links", userId: byUser, what } as const;
      if (ignored) await recordSetupChange(context, tx, change);
      return ignored;
    });
    const description = isNew
      ? `Reports of <@${userId}> in /${channelId} are now ignored, and they are told so when they try. /report unignore accepts them again.`
      : `Reports of <@${userId}> in /${channelId} are ignored already.`;
    return textView(isNew ? "good" : "plain", description);
  },
});

export const unignoreReports = answer({
  description: "Accept a member's reports again",
  needs: "hide",
  options: {
    user: person({ description: "Whose reports", required: true }),
    channel: channelOption,
  },
  async run(context, { user: userId, channel: given }) {
    const channelId = await chooseChannelFor(context, given, "hide");
    const { guildId, userId: byUser } = context.actor;
    const was = await context.database.transaction(async (tx) => {
      const accepted = await unignoreReporter(tx, { guildId, channelId, userId });
      const what = `accepts the reports of <@${userId}> in /${channelId}`;
      const change = { guildId, channelId, kind: "links", userId: byUser, what } as const;
      if (accepted) await recordSetupChange(context, tx, change);
      return accepted;
    });
    const description = was
      ? `Reports of <@${userId}> in /${channelId} are accepted again.`
      : `Reports of <@${userId}> in /${channelId} were not ignored.`;
    return textView(was ? "good" : "plain", description);
  },
});
