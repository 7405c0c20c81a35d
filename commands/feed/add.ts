import { answer, flag, room, text } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { feedKinds, usualFeedKinds, type FeedKind } from "../../src/feed/feed-rows.ts";
import { addFeed as storeFeed } from "../../src/feed/feeds.ts";
import { authorizeFeed } from "../../src/moderation/authorize-server.ts";
import { colors } from "../../src/text/colors.ts";
import { inlineCode } from "../../src/text/message-text.ts";
import { channelOption, readChannelId } from "../shared/options.ts";

export const addFeed = answer({
  description: "Post what happens in the channels to a room",
  options: {
    room: room({ description: "Which room; this one if left out" }),
    kinds: text({
      description: "Kinds, separated by commas; the usual ones if left out",
      maxLength: 200,
      suggest: suggestKinds,
    }),
    channel: { ...channelOption, description: "Only this channel; all linked ones if left out" },
    names: text({ description: "For names: only those that match, * for any characters", maxLength: 40 }),
    members_only: flag("For names: only of members of the channels"),
  },
  async run(context, args) {
    const { guildId, userId } = context.actor;
    const roomId = args.room ?? context.actor.roomId;
    const channelId = args.channel === undefined ? undefined : readChannelId(args.channel);
    const channelIds = channelId === undefined ? null : [channelId];
    await authorizeFeed(context, context.actor, channelIds, context.roomAccess(roomId));
    await requireReachable(context, roomId);
    const kinds = readKinds(args.kinds);
    const id = await storeFeed(context, {
      guildId,
      roomId,
      channelIds,
      kinds,
      namePattern: args.names ?? null,
      peopleOnly: args.members_only,
      createdBy: userId,
    });
    const everyName = kinds.includes("names") && args.names === undefined && !args.members_only;
    const of = channelId === undefined ? "every linked channel" : `/${channelId}`;
    return {
      embeds: [
        {
          description: `Feed ${id}: <#${roomId}> hears of ${of} from now on: ${kinds.join(", ")}.${everyName ? namesNote : ""}`,
          color: colors.good,
        },
      ],
    };
  },
});

const namesNote =
  "\nNames are those of the whole network, which may be many: `members_only` or `names` narrows them.";

/** Discord itself has the last word: a feed into a room that it does not open would pause at once. */
async function requireReachable(context: CommandContext, roomId: string): Promise<void> {
  await context.rooms.recent(roomId);
}

function readKinds(typed: string | undefined): FeedKind[] {
  if (typed === undefined) return [...usualFeedKinds];
  const words = typed
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  const unknown = words.filter((word) => !isKind(word));
  if (unknown.length > 0 || words.length === 0) {
    const named = unknown.map((word) => inlineCode(word, 40)).join(", ");
    throw new AppError("invalid_input", `Unknown kind: ${named}. Choose from ${feedKinds.join(", ")}.`);
  }
  return feedKinds.filter((kind) => words.includes(kind));
}

function isKind(word: string): boolean {
  return feedKinds.some((kind) => kind === word);
}

async function suggestKinds(typed: string) {
  const parts = typed.split(",").map((part) => part.trim());
  const last = parts.pop() ?? "";
  const chosen = parts.filter(isKind);
  const prefix = chosen.map((kind) => `${kind},`).join("");
  return feedKinds
    .filter((kind) => kind.startsWith(last) && !chosen.includes(kind))
    .map((kind) => ({ name: prefix + kind, value: prefix + kind }));
}
