import { answer, integer, text, yesOrNo } from "../../src/discord/command.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { editFeed as storeFeed, type Feed, type NewFeed } from "../../src/feed/feeds.ts";
import { authorizeFeed } from "../../src/moderation/authorize-server.ts";
import { channelOption, readChannelId } from "../shared/options.ts";
import { describeChannels, describeDoubts, describeKinds } from "./describe-feed.ts";
import { feedNumber, findRunningFeed } from "./find-feed.ts";
import { kindsOption } from "./kinds-option.ts";

const everything = "all";

export const editFeed = answer({
  description: "Change what a feed posts; options that are left out stay as they are",
  needs: "feeds",
  options: {
    number: integer(feedNumber),
    kinds: kindsOption("Kinds to post from now on, such as bans, pins; replaces the current ones"),
    channel: {
      ...channelOption,
      description: "Only events of this channel; all for every linked channel",
    },
    names: text({
      description: "New names: only those like this, such as *scam* for any with scam in it; * for all",
      maxLength: 40,
    }),
    members_only: yesOrNo("New names: only members'"),
  },
  async run(context, { number, kinds, channel, names, members_only: membersOnly }) {
    const { guildId } = context.actor;
    const { feed: before, feeds } = await findRunningFeed(context, number);
    // Changing a feed takes the right to end it, and to add its new form.
    await authorizeFeed(context, context.actor, before.channelIds, context.roomAccess(before.roomId));
    const after = {
      ...before,
      kinds: kinds ?? before.kinds,
      channelIds: channel === undefined ? before.channelIds : readChannels(channel),
      namePattern: names === undefined ? before.namePattern : readPattern(names),
      peopleOnly: membersOnly ?? before.peopleOnly,
    };
    if (isSame(before, after)) return describeUnchanged(before);
    await authorizeFeed(context, context.actor, after.channelIds, context.roomAccess(before.roomId));
    await storeFeed(context, guildId, number, after, context.actor.userId);
    const was = `${describeChannels(before)}: ${describeKinds(before)}`;
    const lines = [
      `Feed ${number}: <#${before.roomId}> now gets events of ${describeChannels(after)}: ${describeKinds(after)}.`,
      `Before: ${was}.`,
      ...describeDoubts(after, feeds),
    ];
    return textView("good", lines);
  },
});

function isSame(before: NewFeed, after: NewFeed): boolean {
  return (
    describeKinds(before) === describeKinds(after) && describeChannels(before) === describeChannels(after)
  );
}

function describeUnchanged(feed: Feed): View {
  const lines = [
    `Feed ${feed.id}: <#${feed.roomId}> gets events of ${describeChannels(feed)}: ${describeKinds(feed)}.`,
    "To change it, give new `kinds`, `channel`, `names` or `members_only`. To move it to another room, use /feed add there and /feed remove here.",
  ];
  return textView("plain", lines, { title: "Nothing was changed" });
}

function readChannels(typed: string): string[] | null {
  return typed.trim().toLowerCase() === everything ? null : [readChannelId(typed)];
}

function readPattern(typed: string): string | null {
  return typed.trim() === "*" ? null : typed;
}
