import type { CommandContext } from "../../src/discord/command-context.ts";
import { feedKinds, listDeskKinds, type FeedKind } from "../../src/feed/feed-kinds.ts";
import type { Feed, NewFeed, RoomQueueState } from "../../src/feed/feeds.ts";
import { amount } from "../../src/text/amount.ts";
import { inlineCode } from "../../src/text/message-text.ts";

/** What a feed posts, in one line: "bans, names of members only, rules". */
export function describeKinds({ kinds, namePattern, peopleOnly }: NewFeed): string {
  const whose = peopleOnly ? " of members only" : "";
  const like = namePattern === null ? "" : ` like ${inlineCode(namePattern, 40)}`;
  return kinds.map((kind) => (kind === "names" ? `names${whose}${like}` : kind)).join(", ");
}

/** What the room will show of each kind. */
const shows: Record<FeedKind, string> = {
  names: "new names",
  records: "casts hidden and shown again",
  bans: "bans",
  restrictions: "restrictions",
  members: "members who join or leave",
  invites: "invites",
  pins: "pins",
  channel: "edits of the channel",
  casts: "all casts",
  rules: "what rules do",
  reviews: "reviews",
  cases: "each case",
  health: "changes and problems of Castellan",
};

const and = new Intl.ListFormat("en");

/** What the room of a new feed will show, what it will not, and how to change that. */
export function describeNewFeed(feed: NewFeed & { id: number }, forReaders: boolean): string[] {
  const { id, roomId, namePattern, peopleOnly } = feed;
  const desk = forReaders ? listDeskKinds(feed.kinds) : [];
  const kinds = feed.kinds.filter((kind) => !desk.includes(kind));
  const like = namePattern === null ? "" : ` like ${inlineCode(namePattern, 40)}`;
  const shown = kinds.map((kind) =>
    kind === "names" ? `${shows.names}${peopleOnly ? " of members" : ""}${like}` : shows[kind],
  );
  const others = feedKinds.filter((kind) => !kinds.includes(kind));
  return [
    `<#${roomId}> now gets events of ${describeChannels(feed)}.`,
    `It shows ${shown.length === 0 ? "nothing" : and.format(shown)}.`,
    ...(forReaders ? describeForReaders(feed.kinds) : []),
    ...(others.length === 0 ? [] : [`It does not show: ${others.map((kind) => shows[kind]).join(", ")}.`]),
    `To change what it shows, use /feed edit with \`number:${id}\`. /feed room sets a role to mention, digests and quiet hours.`,
  ];
}

/** How a room for readers differs, and which of these kinds it leaves out. */
export function describeForReaders(kinds: readonly FeedKind[]): string[] {
  const desk = listDeskKinds(kinds);
  return [
    "Its posts are for readers: a line for each event, with text and picture of casts that are shown, and without buttons, moderators, reasons and case numbers. Earlier posts stay until their next edit.",
    ...(desk.length === 0 ? [] : [`Readers never see ${and.format(desk.map((kind) => shows[kind]))}.`]),
  ];
}

export function describeChannels({ channelIds }: Pick<NewFeed, "channelIds">): string {
  return channelIds === null ? "every linked channel" : channelIds.map((id) => `/${id}`).join(", ");
}

/** Warnings about a new feed: that there may be many names, or that another feed posts the same events. */
export function describeDoubts(feed: NewFeed & { id: number }, others: readonly Feed[]): string[] {
  const everyName = feed.kinds.includes("names") && feed.namePattern === null && !feed.peopleOnly;
  const overlapping = others.flatMap((other) => {
    const both = other.kinds.filter((kind) => feed.kinds.includes(kind));
    const isBeside = other.id !== feed.id && other.roomId === feed.roomId && !other.ended;
    return isBeside && both.length > 0 && haveChannelIn(feed, other) ? [{ id: other.id, both }] : [];
  });
  return [
    ...(everyName
      ? [
          "This includes every new name on the network, which may be many. Narrow it with `members_only` or `names`. A large backlog is summed up.",
        ]
      : []),
    ...overlapping.map(
      ({ id, both }) =>
        `Feed ${id} also posts ${listKinds(both)} to this room. Nothing is posted twice. To remove one of the two feeds, use /feed remove.`,
    ),
  ];
}

function haveChannelIn(one: NewFeed, other: NewFeed): boolean {
  if (one.channelIds === null || other.channelIds === null) return true;
  return one.channelIds.some((id) => other.channelIds?.includes(id));
}

function listKinds(kinds: readonly FeedKind[]): string {
  return kinds.length === feedKinds.length ? "every kind" : kinds.join(", ");
}

/** What would never be posted if the room's last feed ended. */
export function describeBacklog({ waiting, blocked }: Pick<RoomQueueState, "waiting" | "blocked">): string[] {
  return [
    ...(waiting > 0 ? [`${amount(waiting, "event")} not posted yet`] : []),
    ...(blocked > 0 ? [`${amount(blocked, "message")} that AutoMod blocks`] : []),
  ];
}

/** Nothing if the room mentions no role, or if its members are notified. */
export function describeSilentMention(
  context: Pick<CommandContext, "silentMention">,
  roomId: string,
  roleId: string | null,
): string[] {
  const silent = roleId === null ? undefined : context.silentMention(roomId, roleId);
  return silent
    ? [`**A mention of <@&${roleId}> notifies nobody**, because ${silent.why}. ${silent.fix}`]
    : [];
}
