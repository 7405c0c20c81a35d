import type { FeedKind } from "./feed-kinds.ts";

/** A feed, with what decides of which events it tells. */
export interface FeedFilter {
  guildId: string;
  roomId: string;
  /** null: every channel that the server is linked to. */
  channelIds: readonly string[] | null;
  kinds: readonly FeedKind[];
  /** For name proofs: only names like this, `*` for any characters. */
  namePattern: string | null;
  /** For name proofs: only members of the server's channels. */
  peopleOnly: boolean;
  /** The channels that the server is linked to. */
  linkedChannelIds: readonly string[];
}

/** An event, as far as it matters who hears of it. */
export interface FeedEvent {
  /** Rooms that ask for any of these are meant. */
  kinds: readonly FeedKind[];
  channelId: string | null;
  /** The one server whose own affair it is. */
  guildId: string | null;
  /** The one room that it is meant for, whatever that asks for. */
  roomId: string | null;
  /** The server whose bulk did it: the bulk tells of it. */
  bulkGuildId: string | null;
  /** Of a name proof: the names, and the servers that have one of its people as a member. */
  name?: { names: readonly string[]; memberOf: ReadonlySet<string> };
}

/**
 * Whether a feed tells of an event. A server hears of the channels that it is linked to, of what belongs to no channel as long
 * as there is one, and of its own affairs.
 */
export function wants(feed: FeedFilter, event: FeedEvent): boolean {
  return (
    isHeard(feed, event) &&
    isAskedFor(feed, event) &&
    isNameAskedFor(feed, event) &&
    !isAnnouncedByBulk(feed, event)
  );
}

function isHeard({ guildId, linkedChannelIds }: FeedFilter, event: FeedEvent): boolean {
  if (event.guildId !== null) return event.guildId === guildId;
  return event.channelId === null ? linkedChannelIds.length > 0 : linkedChannelIds.includes(event.channelId);
}

function isAskedFor({ roomId, kinds, channelIds }: FeedFilter, event: FeedEvent): boolean {
  if (event.roomId !== null) return event.roomId === roomId;
  const isOfChannel = event.channelId === null || channelIds === null || channelIds.includes(event.channelId);
  return isOfChannel && event.kinds.some((kind) => kinds.includes(kind));
}

function isNameAskedFor({ guildId, namePattern, peopleOnly }: FeedFilter, { name }: FeedEvent): boolean {
  if (!name) return true;
  if (peopleOnly && !name.memberOf.has(guildId)) return false;
  return namePattern === null || name.names.some((one) => isLike(one, namePattern));
}

function isAnnouncedByBulk({ guildId }: FeedFilter, { bulkGuildId }: FeedEvent): boolean {
  return bulkGuildId === guildId;
}

/** Whether a name is like a pattern, in which `*` stands for any characters and everything else for itself, in either case. */
function isLike(name: string, pattern: string): boolean {
  const text = name.toLowerCase();
  const [start = "", ...others] = pattern.toLowerCase().split("*");
  const end = others.pop();
  if (end === undefined) return text === start;
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  let at = start.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + end.length <= text.length;
}
