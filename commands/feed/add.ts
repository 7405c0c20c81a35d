import { answer, oneOf, room, text, yesOrNo } from "../../src/discord/command.ts";
import { usualFeedKinds, usualReadersKinds } from "../../src/feed/feed-kinds.ts";
import { addFeed as storeFeed, listFeeds, type NewFeed } from "../../src/feed/feeds.ts";
import { audiences, readRoomSettings } from "../../src/feed/room-settings.ts";
import { authorizeFeed } from "../../src/moderation/authorize-server.ts";
import { channelOption, readChannelId } from "../shared/options.ts";
import { describeDoubts, describeNewFeed } from "./describe-feed.ts";
import { kindsOption } from "./kinds-option.ts";
import { textView } from "../../src/discord/view.ts";

export const addFeed = answer({
  description: "Post channel events to a room",
  needs: "feeds",
  options: {
    room: room({ description: "The room to post in; left out, the one you are in" }),
    kinds: kindsOption("What to post, such as bans, pins; left out, the usual ones"),
    channel: {
      ...channelOption,
      description: "Only events of this channel; all linked channels if left out",
    },
    names: text({
      description: "New names: only those like this, such as *scam* for any with scam in it",
      maxLength: 40,
    }),
    members_only: yesOrNo("New names: only members' (true unless you choose kinds or names)"),
    look: oneOf(audiences, {
      description: "desk for moderators (usual); readers for everybody, without buttons",
    }),
  },
  async run(context, args) {
    const { guildId, userId } = context.actor;
    const roomId = args.room ?? context.actor.roomId;
    const channelIds = args.channel === undefined ? null : [readChannelId(args.channel)];
    await authorizeFeed(context, context.actor, channelIds, context.roomAccess(roomId));
    // Discord has the last word: a feed to a room that the bot cannot access would pause at once.
    await context.rooms.recent(roomId);
    const given = args.look === undefined ? undefined : args.look === "readers";
    const forReaders = given ?? (await readRoomSettings(context, guildId, roomId))?.forReaders ?? false;
    const isUsual = args.kinds === undefined && args.names === undefined;
    const feed: NewFeed = {
      guildId,
      roomId,
      channelIds,
      kinds: args.kinds ?? [...(forReaders ? usualReadersKinds : usualFeedKinds)],
      namePattern: args.names ?? null,
      peopleOnly: args.members_only ?? isUsual,
      createdBy: userId,
    };
    const id = await storeFeed(context, feed, given);
    const lines = [
      ...describeNewFeed({ ...feed, id }, forReaders),
      ...describeDoubts({ ...feed, id }, await listFeeds(context, guildId)),
    ];
    return textView("good", lines);
  },
});
