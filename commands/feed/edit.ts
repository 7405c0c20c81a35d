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
  description: "Change what a feed tells; what is left out stays as it is",
  needs: "feeds",
  options: {
    number: integer(feedNumber),
    kinds: kindsOption("What to post from now on, such as bans, pins: these and nothing else"),
    channel: {
      ...channelOption,
      description: "Only what happens in this channel; write all for every linked one",
    },
    names: text({
      description: "New names: only those like this, such as *scam* for any with scam in it; * for all",
    }),
    members_only: yesOrNo("New names: only members'"),
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
    if (isSame(before, after)) return describeUnchanged(before);
    await authorizeFeed(context, context.actor, after.channelIds, context.roomAccess(before.roomId));
    await storeFeed(context, guildId, number, after, context.actor.userId);
    const was = `${describeChannels(before)}: ${describeKinds(before)}`;
    const lines = [
      `Feed ${number}: <#${before.roomId}> hears of ${describeChannels(after)} from now on: ${describeKinds(after)}.`,
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
    `Feed ${feed.id}: <#${feed.roomId}> hears of ${describeChannels(feed)}: ${describeKinds(feed)}.`,
    "To change it, give what it is to be: `kinds`, `channel`, `names` or `members_only`. Another room takes a feed of its own: /feed add there, and /feed remove here.",
  ];
  return textView("plain", lines, { title: "Nothing was changed" });
}

function readChannels(typed: string): string[] | null {
  return typed.trim().toLowerCase() === everything ? null : [readChannelId(typed)];
}

function readPattern(typed: string): string | null {
  return typed.trim() === "*" ? null : typed.slice(0, 40);
}
