import { answer, flag, oneOf, role, room, text } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { feedKinds, type FeedKind } from "../../src/feed/feed-kinds.ts";
import { listFeeds } from "../../src/feed/feeds.ts";
import {
  audiences,
  describeQuietHours,
  listRoomChanges,
  readQuietHours,
  readRoomSettings,
  saveRoomSettings,
  showHours,
  type QuietHours,
  type RoomSettings,
} from "../../src/feed/room-settings.ts";
import { languageNames } from "../../src/languages/languages.ts";
import { authorizeFeed } from "../../src/moderation/authorize-server.ts";
import { findTimeZone } from "../../src/moderation/time-zones.ts";
import { languageOption, readDuration } from "../shared/options.ts";
import { describeForReaders, describeSilentMention } from "./describe-feed.ts";
import { kindsOption } from "./kinds-option.ts";
import { textView } from "../../src/discord/view.ts";

const off = "off";
const usualMentions: FeedKind[] = ["reviews", "health"];

export const feedRoom = answer({
  description:
    "How a room gets posts: mentions, digests, quiet hours, language, look; without options, shows them",
  needs: "feeds",
  options: {
    room: room({ description: "Which room; this one if left out" }),
    mention: role({ description: "A role to mention; needs Manage Server" }),
    mention_kinds: kindsOption("The kinds of events it is mentioned for; reviews and health if left out"),
    no_mention: flag("Stop mentioning a role"),
    digest: text({
      description: "How often to sum up events that can wait, such as 1h; or off",
      maxLength: 20,
    }),
    quiet: text({ description: "Hours with only important posts, such as 22:00-07:00; or off" }),
    zone: text({
      description: "The time zone of the quiet hours, such as Europe/Berlin; the server's if left out",
    }),
    language: languageOption("The language of its posts; English until you choose one"),
    look: oneOf(audiences, { description: "desk for moderators; readers for everybody, without buttons" }),
  },
  async run(context, args) {
    const roomId = args.room ?? context.actor.roomId;
    const { kinds, ...before } = await findRoom(context, roomId);
    const after: RoomSettings = {
      mention: readMention(context, before.mention, args),
      digestSeconds: args.digest === undefined ? before.digestSeconds : readDigest(args.digest),
      quiet: await readQuiet(context, before.quiet, args),
      language: args.language ?? before.language,
      forReaders: args.look ? args.look === "readers" : before.forReaders,
    };
    const changes = listRoomChanges(before, after);
    const isChanged = changes.length > 0;
    if (isChanged) {
      const what = `changed the settings of <#${roomId}>: ${changes.join("; ")}`;
      const { guildId, userId } = context.actor;
      await saveRoomSettings(context, { guildId, userId, roomId, what }, after);
    }
    return textView(
      isChanged ? "good" : "plain",
      [`<#${roomId}>`, ...describeSettings(context, roomId, after, kinds)],
      { title: isChanged ? "Settings of the room changed" : "Settings of the room" },
    );
  },
});

/** A room with a feed and its feeds' kinds, if the actor may change all of its feeds. */
async function findRoom(
  context: CommandContext,
  roomId: string,
): Promise<RoomSettings & { kinds: FeedKind[] }> {
  const { guildId } = context.actor;
  const feeds = (await listFeeds(context, guildId)).filter((feed) => feed.roomId === roomId && !feed.ended);
  const settings = await readRoomSettings(context, guildId, roomId);
  const isWhole = feeds.length === 0 || feeds.some(({ channelIds }) => channelIds === null);
  const channelIds = isWhole ? null : feeds.flatMap((feed) => feed.channelIds ?? []);
  await authorizeFeed(context, context.actor, channelIds, context.roomAccess(roomId));
  const kinds = feedKinds.filter((kind) => feeds.some((feed) => feed.kinds.includes(kind)));
  if (feeds.length > 0 && settings) return { ...settings, kinds };
  throw new AppError("invalid_input", `<#${roomId}> has no feed. /feed add creates one.`);
}

function readMention(
  { actor }: CommandContext,
  before: RoomSettings["mention"],
  args: { mention: string | undefined; mention_kinds: FeedKind[] | undefined; no_mention: boolean },
): RoomSettings["mention"] {
  if (args.no_mention) return null;
  const asked = args.mention ?? before?.role;
  if (args.mention === undefined && args.mention_kinds === undefined) return before;
  if (asked === undefined) throw new AppError("invalid_input", "Choose the role to mention for these kinds.");
  if (asked === actor.guildId)
    throw new AppError("invalid_input", "A feed does not mention everyone. Choose a role.");
  if (!actor.managesServer) {
    throw new AppError("not_allowed", 'Which role a feed mentions is for whoever has "Manage Server" here.');
  }
  return { role: asked, kinds: args.mention_kinds ?? before?.kinds ?? usualMentions };
}

const [shortest, longest] = [300, 86_400];

function readDigest(typed: string): number | null {
  if (typed.trim().toLowerCase() === off) return null;
  const ways = 'Write how often, from "5m" to "24h", or "off".';
  const seconds = readDuration(typed, ways);
  if (seconds >= shortest && seconds <= longest) return seconds;
  throw new AppError("invalid_input", ways);
}

async function readQuiet(
  { actor, database }: CommandContext,
  before: QuietHours | null,
  { quiet: typed, zone }: { quiet: string | undefined; zone: string | undefined },
): Promise<QuietHours | null> {
  if (typed?.trim().toLowerCase() === off) return null;
  const hours = typed ?? (zone === undefined ? undefined : before && showHours(before));
  if (hours === undefined) return before;
  if (hours === null) throw new AppError("invalid_input", "Give the quiet hours of this zone, too.");
  return readQuietHours(hours, zone ?? before?.zone ?? (await findTimeZone(database.query, actor.guildId)));
}

function describeSettings(
  context: CommandContext,
  roomId: string,
  { mention, digestSeconds, quiet, language, forReaders }: RoomSettings,
  kinds: readonly FeedKind[],
): string[] {
  return [
    mention === null
      ? "Mentions nobody."
      : `Mentions <@&${mention.role}> for ${mention.kinds.join(", ")}, once in five minutes at most.`,
    ...describeSilentMention(context, roomId, mention?.role ?? null),
    digestSeconds === null
      ? "Everything is posted as it happens."
      : `Events that can wait are summed up every ${Math.round(digestSeconds / 60)} minutes. Reviews, bans, rules and alarms are posted at once.`,
    quiet === null
      ? "No quiet hours."
      : `${describeQuietHours(quiet).replace(/^f/, "F")} only reviews, bans, rules and alarms are posted, and nobody is mentioned.`,
    `Posts are in ${languageNames[language]}.`,
    ...(forReaders ? describeForReaders(kinds) : []),
  ];
}
