import type { Generated } from "kysely";

/** State of the sources, and of calls to the live network. `_ms` columns are UNIX milliseconds, others UNIX seconds. */
export interface ObserveTables {
  "castellan.sources": SourceTable;
  /** Periods from which events may be missing. */
  "castellan.gaps": {
    id: Generated<number>;
    source: string;
    from_at: number;
    until_at: number;
    found_at_ms: number;
    healed_at_ms: number | null;
  };
  /** The linked channels for the sources; follows castellan.links. */
  "castellan.watched_channels": {
    channel_id: string;
    url: string;
    /** Earlier events are history, not news. */
    since_ms: number;
    /** The page from which to continue indexing older casts (parent-bookmark.ts), empty for the first; null when done. */
    past_page: string | null;
    /** When to retry that after a failed read; 0 if none failed. */
    past_retry_at_ms: Generated<number>;
  };
  /** Replies whose parent is unknown; it may still come, because shards differ. */
  "castellan.waiting_replies": {
    hash: string;
    parent_hash: string;
    parent_fid: number | null;
    /** The parent may belong to a linked channel, so the hub will be asked for it. */
    is_wanted: Generated<boolean>;
    /** The hub was asked for it, and no event has brought it: the reply has waited since "merged_at". */
    is_requested: Generated<boolean>;
    merged_at: number;
    /** A HubCast. */
    cast_json: string;
    /** When its author removed it, UNIX seconds: only replies to it are still news. */
    removed_at: Generated<number | null>;
  };
  /** Such parents that were requested from the hub, found or not. */
  "castellan.requested_parents": { hash: string; requested_at_ms: number };
  /** Casts whose replies do not fit in one page, or could not be read. */
  "castellan.reply_readings": { hash: string; page: Generated<string>; retry_at_ms: Generated<number> };
  /** Casts removed in the last minutes, indexed or not; UNIX seconds. */
  "castellan.recent_removals": { hash: string; removed_at: number };
  /** Moderation records already read, in the listing's order. */
  "castellan.records": {
    id: Generated<number>;
    channel_id: string;
    cast_hash: string;
    action: "hide" | "unhide";
    moderated_at: number;
    /** The event that reported it. */
    event_id: Generated<string | null>;
  };
  /** The users in each listing when it was last read. */
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
  /** The channel's record when it was last read. */
  "castellan.channel_snapshots": { channel_id: string; channel_json: string };
  /** Calls sent, per second. */
  "castellan.calls": {
    route: string;
    second: number;
    /** The background task; empty for calls that people wait for. */
    purpose: string;
    calls: number;
  };
  /** Routes to leave alone, as the network requested. */
  "castellan.route_backoffs": { route: string; until_ms: number; people_until_ms: Generated<number> };
  /** Services to leave alone, because they failed repeatedly. */
  "castellan.upstream_backoffs": {
    upstream: string;
    since_ms: number;
    announced_at_ms: number;
    reason: string;
  };
  /** The state of the bot's key on the live network. */
  "castellan.bot_keys": {
    key: string;
    accepted_at_ms: number | null;
    refused_at_ms: number | null;
    /** The network's message. */
    refusal: string | null;
    refusal_announced_at_ms: number | null;
    /** When the hubs were last asked for it. */
    checked_at_ms: number | null;
    /** A `KeyState`. */
    standing: string | null;
    standing_message: string | null;
    /** Its last announced bad state. */
    announced_standing: string | null;
  };
  /** Channel events already read. */
  "castellan.channel_events": { event_id: string; happened_at_ms: number };
}

export interface SourceTable {
  /** `hub`, `hub/2`, `records/memes`, `bans/memes`, … */
  source: string;
  channel_id: string | null;
  /** Incremented with every page; the worker that increments it owns the page. */
  version: Generated<number>;
  /** Hub: id of the last event read. Records: time of the newest one. */
  position: Generated<number>;
  /** Whether the state at the time of the link has been read. */
  has_baseline: Generated<boolean>;
  /** Hub: whether the event at `position` must still exist at the next poll. */
  anchored: Generated<boolean>;
  /** Time of the newest entry read. */
  newest_at: number | null;
  /** Hub: remaining events of the block at `position`; null if unknown. */
  block_left: Generated<number | null>;
  /** Hub: one of that many events after `position` cannot be returned; null if unknown. */
  unreadable_within: number | null;
  /** Hub: since when the event after `position` cannot be returned, even if requested alone. */
  unreadable_since_ms: number | null;
  succeeded_at_ms: number | null;
  /** When a listing was last read to its end. */
  completed_at_ms: number | null;
  /** When the latest read of all of a channel's listings began. */
  all_listings_at_ms: number | null;
  /** When it was last due and tried, successfully or not. */
  attempted_at_ms: number | null;
  /** There is more to read. */
  behind: Generated<boolean>;
  failing_since_ms: number | null;
  error: string | null;
  seen: Generated<number>;
  /** Entries that were unreadable or of an unknown type. */
  skipped: Generated<number>;
}
