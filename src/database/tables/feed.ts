import type { Generated } from "kysely";

/** Notifications. `_ms` columns are UNIX milliseconds. */
export interface FeedTables {
  /** The text of notices to the targets of actions in a channel; without a row, no notices are sent. */
  "castellan.notice_templates": {
    guild_id: string;
    channel_id: string;
    template: string;
    /** Its language, for the words around it and the values in it. */
    locale: Generated<string>;
    /** Discord user id. */
    set_by: string;
    set_at_ms: number;
  };
  "castellan.feeds": {
    id: Generated<number>;
    guild_id: string;
    room_id: string;
    /** null: every linked channel of the server. */
    channel_ids: string[] | null;
    /** Feed kinds (src/feed/feed-kinds.ts). */
    kinds: string[];
    /** For name proofs: only names that match, with `*` for any characters. */
    name_pattern: string | null;
    /** For name proofs: only members of the server's channels. */
    people_only: Generated<boolean>;
    created_by: string;
    created_at_ms: number;
    /** When and why the feed was ended; null while it is active. */
    ended_at_ms: number | null;
    ended_reason: string | null;
  };
  /** One row per room; orders its posts. */
  "castellan.room_queues": {
    room_id: string;
    guild_id: string;
    leased_until_ms: Generated<number>;
    lease_token: string | null;
    retry_at_ms: Generated<number>;
    failures: Generated<number>;
    error: string | null;
    /** When the room was found missing or inaccessible. */
    paused_since_ms: number | null;
    /** How many rows to send one at a time, after a message with several was rejected. */
    one_by_one: Generated<number>;
    delivered_at_ms: number | null;
    /** A Discord role to mention in posts of these feed kinds, and when it was last mentioned. */
    mention_role: string | null;
    mention_kinds: Generated<string[]>;
    mentioned_at_ms: number | null;
    /** Interval of the digests of unimportant events. */
    digest_seconds: number | null;
    /** Minutes of the day in that time zone, between which only important events are posted. */
    quiet_from: number | null;
    quiet_until: number | null;
    quiet_zone: string | null;
    /** The language of its posts. */
    locale: Generated<string>;
    /** Its posts are for a community: without buttons, and without moderators' work. */
    for_readers: Generated<boolean>;
    /** Until then, only important events are posted. */
    held_until_ms: Generated<number>;
  };
  /** A message and its rendered content. Per room, at most one is bound; any number can be blocked by AutoMod. */
  "castellan.feed_messages": {
    id: Generated<number>;
    room_id: string;
    state: "bound" | "blocked" | "sent" | "parked";
    /** Random, so that another installation of the same bot uses other nonces. */
    nonce: Generated<string>;
    /** RoomEmbed[] */
    embeds_json: string;
    /** RoomButton[][] */
    buttons_json: Generated<string>;
    discord_id: string | null;
    error: string | null;
    bound_at_ms: number;
    settled_at_ms: number | null;
    /** When to retry a blocked message, and how often it was retried. */
    retry_at_ms: number | null;
    attempts: Generated<number>;
    mention_role: string | null;
    /** A digest that counts events and names none. */
    digest: Generated<boolean>;
    /** A message that its event could not be rendered. */
    unshown: Generated<boolean>;
  };
  /** Calls to which Discord responded 401, 403 or 429, per UNIX minute, in all processes. */
  "castellan.refused_calls": { minute: number; calls: number };
  "castellan.feed_rows": {
    room_id: string;
    event_id: number;
    message_id: number | null;
    /** Lower ranks are sent first (src/feed/feed-kinds.ts). */
    rank: Generated<number>;
    /** The post group that the event belongs to (src/feed/post-groups.ts). */
    post_group: string | null;
    /** The event whose post includes it; null if it gets its own. */
    head_id: number | null;
  };
  /** Interactions that another process with the bot's token answered. */
  "castellan.token_uses": {
    /** The interaction's Discord id. */
    id: string;
    /** Messages are no longer looked for, and rows of them mean nothing. */
    kind: "answer" | "message";
    room_id: string | null;
    seen_at_ms: number;
  };
  /** This installation's unique id. */
  "castellan.installation": { only_one: Generated<boolean>; id: string };
  /** Processes of this installation that answer commands, or recently did. */
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
