import { answer, integer, text, yesOrNo } from "../../src/discord/command.ts";
import { editFeed as storeFeed } from "../../src/feed/feeds.ts";
import { authorizeFeed } from "../../src/moderation/authorize-server.ts";
import { colors } from "../../src/text/colors.ts";
import { channelOption, readChannelId } from "../shared/options.ts";
import { describeChannels, describeDoubts, describeKinds } from "./describe-feed.ts";
import { feedNumber, findRunningFeed } from "./find-feed.ts";
import { kindsOption } from "./kinds-option.ts";

const everything = "all";

export const editFeed = answer({
  description: "Change what a feed tells; what is left out stays as it is",
  options: {
    number: integer(feedNumber),
    kinds: kindsOption("Kinds, separated by commas: these and no others"),
    channel: { ...channelOption, description: "Only this channel; all for every linked one" },
    names: text({ description: "For names: only those that match, * for any characters; * alone for all" }),
    members_only: yesOrNo("For names: only of members of the channels"),
  },
  async run(context, { number, kinds, channel, names, members_only: membersOnly }) {
    const { guildId } = context.actor;
    const { feed: before, feeds } = await findRunningFeed(context, number);
    // Whoever changes it could end it, and could add what it becomes.
    await authorizeFeed(context, context.actor, before.channelIds, context.roomAccess(before.roomId));
    const after = {
      ...before,
      kinds: kinds ?? before.kinds,
      channelIds: channel === undefined ? before.channelIds : readChannels(channel),
      namePattern: names === undefined ? before.namePattern : readPattern(names),
      peopleOnly: membersOnly ?? before.peopleOnly,
    };
    await authorizeFeed(context, context.actor, after.channelIds, context.roomAccess(before.roomId));
    await storeFeed(context, guildId, number, after, context.actor.userId);
    const was = `${describeChannels(before)}: ${describeKinds(before)}`;
    const lines = [
      `Feed ${number}: <#${before.roomId}> hears of ${describeChannels(after)} from now on: ${describeKinds(after)}.`,
      `Before: ${was}.`,
      ...describeDoubts(after, feeds),
    ];
    return { embeds: [{ description: lines.join("\n"), color: colors.good }] };
  },
});

function readChannels(typed: string): string[] | null {
  return typed.trim().toLowerCase() === everything ? null : [readChannelId(typed)];
}

function readPattern(typed: string): string | null {
  return typed.trim() === "*" ? null : typed.slice(0, 40);
}
