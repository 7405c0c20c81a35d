import { fitsGlob } from "../text/glob.ts";
import type { FeedKind } from "./feed-kinds.ts";

/** A feed, with everything that determines which events it posts. */
export interface FeedFilter {
  guildId: string;
  roomId: string;
  /** null: every channel linked to the server. */
  channelIds: readonly string[] | null;
  kinds: readonly FeedKind[];
  /** For name proofs: only names that match, with `*` for any characters. */
  namePattern: string | null;
  /** For name proofs: only members of the server's channels. */
  peopleOnly: boolean;
  /** Its room is for readers. */
  forReaders: boolean;
  /** The channels linked to the server. */
  linkedChannelIds: readonly string[];
}

/** The parts of an event that determine which rooms get it. */
export interface FeedEvent {
  /** Rooms that subscribe to any of these get it. */
  kinds: readonly FeedKind[];
  channelId: string | null;
  /** Further channels in which it happens. */
  otherChannelIds?: readonly string[] | undefined;
  /** The one server it concerns, if any. */
  guildId: string | null;
  /** The one room it is meant for, whatever that room subscribes to. */
  roomId: string | null;
  /** The server whose bulk caused it: the bulk's post covers it. */
  bulkGuildId: string | null;
  /** Rooms for readers show it. */
  forReaders: boolean;
  /** For a name proof: the names, and the servers that have one of the users as a member. */
  name?: { names: readonly string[]; memberOf: ReadonlySet<string> };
}

/**
 * Whether a feed posts an event. A server gets events of its linked channels, events without a channel if it has any link,
 * and events about itself.
 */
export function wants(feed: FeedFilter, event: FeedEvent): boolean {
  return (
    (event.forReaders || !feed.forReaders) &&
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
  const isOfChannel =
    event.channelId === null ||
    channelIds === null ||
    [event.channelId, ...(event.otherChannelIds ?? [])].some((id) => channelIds.includes(id));
  return isOfChannel && event.kinds.some((kind) => kinds.includes(kind));
}

function isNameAskedFor({ guildId, namePattern, peopleOnly }: FeedFilter, { name }: FeedEvent): boolean {
  if (!name) return true;
  if (peopleOnly && !name.memberOf.has(guildId)) return false;
  const pattern = namePattern?.toLowerCase();
  return pattern === undefined || name.names.some((one) => fitsGlob(pattern, one.toLowerCase()));
}

function isAnnouncedByBulk({ guildId }: FeedFilter, { bulkGuildId }: FeedEvent): boolean {
  return bulkGuildId === guildId;
}
