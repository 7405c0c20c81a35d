import type { Generated } from "kysely";

/** Who is told what. `_ms` columns are UNIX milliseconds. */
export interface FeedTables {
  /** What people read to whom something is done in a channel; none where there is no row. */
  "castellan.notice_templates": {
    guild_id: string;
    channel_id: string;
    template: string;
    /** Discord user id. */
    set_by: string;
    set_at_ms: number;
  };
  "castellan.feeds": {
    id: Generated<number>;
    guild_id: string;
    room_id: string;
    /** null: every channel that the server is linked to. */
    channel_ids: string[] | null;
    /** Feed kinds (src/feed/feed-kinds.ts). */
    kinds: string[];
    /** For name proofs: only names like this, `*` for any characters. */
    name_pattern: string | null;
    /** For name proofs: only members of the server's channels. */
    people_only: Generated<boolean>;
    created_by: string;
    created_at_ms: number;
    /** When the room was given up, and why; null while the feed lasts. */
    ended_at_ms: number | null;
    ended_reason: string | null;
  };
  /** One per room, which keeps its order. */
  "castellan.room_queues": {
    room_id: string;
    guild_id: string;
    leased_until_ms: Generated<number>;
    lease_token: string | null;
    retry_at_ms: Generated<number>;
    failures: Generated<number>;
    error: string | null;
    /** Since when the room is gone or forbidden. */
    paused_since_ms: number | null;
    /** How many rows to send alone, after a message of several was refused. */
    one_by_one: Generated<number>;
    delivered_at_ms: number | null;
    /** A Discord role that is mentioned with what is of these feed kinds, and when it was last. */
    mention_role: string | null;
    mention_kinds: Generated<string[]>;
    mentioned_at_ms: number | null;
    /** What does not matter at once comes so often, summed up. */
    digest_seconds: number | null;
    /** Minutes of the day in that time zone, between which only what matters is told. */
    quiet_from: number | null;
    quiet_until: number | null;
    quiet_zone: string | null;
    /** Until then only what matters is told. */
    held_until_ms: Generated<number>;
  };
  /** A message and its rendered content. At most one of a room is bound; any number are blocked by AutoMod, and tried again. */
  "castellan.feed_messages": {
    id: Generated<number>;
    room_id: string;
    state: "bound" | "blocked" | "sent" | "parked";
    /** Random: another installation of the same bot has others. */
    nonce: Generated<string>;
    /** RoomEmbed[] */
    embeds_json: string;
    /** RoomButton[][] */
    buttons_json: Generated<string>;
    discord_id: string | null;
    error: string | null;
    bound_at_ms: number;
    settled_at_ms: number | null;
    /** When a blocked one is tried again, and how often it was. */
    retry_at_ms: number | null;
    attempts: Generated<number>;
    mention_role: string | null;
    /** It counts events and names none. */
    digest: Generated<boolean>;
    /** It says that its event could not be shown. */
    unshown: Generated<boolean>;
  };
  /** Calls that Discord answered 401, 403 or 429, by UNIX minutes, of all processes. */
  "castellan.refused_calls": { minute: number; calls: number };
  "castellan.feed_rows": {
    room_id: string;
    event_id: number;
    message_id: number | null;
    /** The lowest goes first (src/feed/feed-kinds.ts). */
    rank: Generated<number>;
    /** What the event is a part of (src/feed/post-groups.ts). */
    post_group: string | null;
    /** The event under which it is told; null where it is told by itself. */
    head_id: number | null;
  };
  /** What another process did with the bot's token: an interaction it answered, a message it posted. */
  "castellan.token_uses": {
    /** Of the interaction or message, in Discord. */
    id: string;
    kind: "answer" | "message";
    room_id: string | null;
    seen_at_ms: number;
  };
  /** What tells this installation from others. */
  "castellan.installation": { only_one: Generated<boolean>; id: string };
  /** Processes of this installation that answer commands, or did lately. */
  "castellan.gateways": {
    process: string;
    /** Host and process id, for the operator. */
    name: Generated<string>;
    started_at_ms: Generated<number>;
    /** Into how many shards Discord divides the servers, as this process heard. */
    shard_count: Generated<number>;
    seen_at_ms: number;
    /** Until then it answers its share. */
    leased_until_ms: Generated<number>;
  };
  /** When somebody may identify at Discord's gateway next, by the remainder of the shard that Discord counts by. */
  "castellan.identify_turns": { bucket: number; next_at_ms: number };
}
