import type { Generated } from "kysely";

/** What the sources keep, and what calls to the live network leave. `_ms` columns are UNIX milliseconds, others UNIX seconds. */
export interface ObserveTables {
  "castellan.sources": SourceTable;
  /** Times between which events may be missing. */
  "castellan.gaps": {
    id: Generated<number>;
    source: string;
    from_at: number;
    until_at: number;
    found_at_ms: number;
    healed_at_ms: number | null;
  };
  /** The linked channels as the sources know them; follows castellan.links. */
  "castellan.watched_channels": {
    channel_id: string;
    url: string;
    /** What happened before is history, not news. */
    since_ms: number;
    /** Where the page is from which older casts are still to be indexed (parent-bookmark.ts), empty for the first; null when all are. */
    past_page: string | null;
    /** Until when that rests because it could not be read; 0 where it does not. */
    past_retry_at_ms: Generated<number>;
  };
  /** Replies whose parent is unknown: shards differ, so the parent may come later. */
  "castellan.waiting_replies": {
    hash: string;
    parent_hash: string;
    parent_fid: number | null;
    /** The parent may be one of a linked channel: the hub is asked for it. */
    is_wanted: Generated<boolean>;
    /** It was asked for, and no event has told of it: then it has waited since "merged_at". */
    is_requested: Generated<boolean>;
    merged_at: number;
    /** A HubCast. */
    cast_json: string;
    /** When its author took it away, UNIX seconds: it is no news any more, and only what replies to it is. */
    removed_at: Generated<number | null>;
  };
  /** Parents of such replies that the hub was asked for, whether it had them or not. */
  "castellan.requested_parents": { hash: string; requested_at_ms: number };
  /** Casts of which not all replies fit in one page, or that rest because these could not be read. */
  "castellan.reply_readings": { hash: string; page: Generated<string>; retry_at_ms: Generated<number> };
  /** Casts that were removed in the last minutes, whether they are in the index or not; UNIX seconds. */
  "castellan.recent_removals": { hash: string; removed_at: number };
  /** Moderation records seen, in the order of the listing. */
  "castellan.records": {
    id: Generated<number>;
    channel_id: string;
    cast_hash: string;
    action: "hide" | "unhide";
    moderated_at: number;
    /** The event that told of it. */
    event_id: Generated<string | null>;
  };
  /** Who stood in which listing when it was last read. */
  "castellan.listing_entries": {
    channel_id: string;
    listing: "bans" | "restrictions" | "invites" | "members";
    fid: number;
    at: number;
    role: "member" | "moderator" | null;
    inviter_fid: number | null;
    /** "at" is an event's time, which may differ a little from the listing's. */
    from_event: Generated<boolean>;
  };
  /** The channel record when it was last read. */
  "castellan.channel_snapshots": { channel_id: string; channel_json: string };
  /** Calls that went out, by the second in which they did. */
  "castellan.calls": {
    route: string;
    second: number;
    /** The background task; empty for what people wait for. */
    purpose: string;
    calls: number;
  };
  /** Routes that the network wants to be left alone. */
  "castellan.route_backoffs": { route: string; until_ms: number; people_until_ms: Generated<number> };
  /** Services that are left alone, for they failed again and again. */
  "castellan.upstream_backoffs": {
    upstream: string;
    since_ms: number;
    announced_at_ms: number;
    reason: string;
  };
  /** What became of the bot's key on the live network. */
  "castellan.bot_keys": {
    key: string;
    accepted_at_ms: number | null;
    refused_at_ms: number | null;
    /** The network's sentence. */
    refusal: string | null;
    refusal_announced_at_ms: number | null;
    /** When the hubs were last asked for it. */
    checked_at_ms: number | null;
    /** A `KeyState`. */
    standing: string | null;
    standing_message: string | null;
    /** The bad news of it that was announced. */
    announced_standing: string | null;
  };
  /** Events of channels that were read. */
  "castellan.channel_events": { event_id: string; happened_at_ms: number };
}

export interface SourceTable {
  /** `hub`, `hub/2`, `records/memes`, `bans/memes`, … */
  source: string;
  channel_id: string | null;
  /** Counts up with every page: whoever moves it owns the page. */
  version: Generated<number>;
  /** Hub: id of the last event seen. Records: time of the newest one. */
  position: Generated<number>;
  /** Whether what was there at the link has been read. */
  has_baseline: Generated<boolean>;
  /** Hub: whether the event at `position` must still be there when we ask again. */
  anchored: Generated<boolean>;
  /** When the newest thing read happened. */
  newest_at: number | null;
  /** Hub: events of the block at `position` that are still to come; null where that is not known. */
  block_left: Generated<number | null>;
  /** Hub: of so many events from `position` on one cannot be given; null where that is not known. */
  unreadable_within: number | null;
  /** Hub: since when the event behind `position` cannot be given though it is asked for alone. */
  unreadable_since_ms: number | null;
  succeeded_at_ms: number | null;
  /** When a listing was last read to its end. */
  completed_at_ms: number | null;
  /** When the latest reading of all listings of a channel began. */
  all_listings_at_ms: number | null;
  /** When it was last tried to read it in its turn, well or badly. */
  attempted_at_ms: number | null;
  /** There is more that has not been read. */
  behind: Generated<boolean>;
  failing_since_ms: number | null;
  error: string | null;
  seen: Generated<number>;
  /** Could not be read, or of an unknown type. */
  skipped: Generated<number>;
}
