import type { Generated, JSONColumnType } from "kysely";

/** Tables of moderation and the Discord side only. `_ms` columns are UNIX milliseconds. */
export interface ModerationTables {
  /** Servers that the bot was removed from, and the number of checks since. */
  "castellan.absent_servers": { guild_id: string; since_ms: number; checks: Generated<number> };
  "castellan.case_numbers": { guild_id: string; channel_id: string; last_number: number };
  /** The capabilities of a Discord role's members in a channel. */
  "castellan.capabilities": { guild_id: string; channel_id: string; role_id: string; capability: string };
  /** Reasons that a server's moderators can choose from. */
  "castellan.saved_reasons": {
    guild_id: string;
    reason: string;
    /** The usual duration of a ban for this reason; null to ask each time. */
    for_seconds: number | null;
  };
  /** Of servers that have chosen one; by its name in the IANA database. */
  "castellan.time_zones": { guild_id: string; zone: string };
  /** A message with buttons for the user who ran the command. */
  "castellan.prompts": {
    id: string;
    /** Command and subcommand: "feed add". */
    path: string;
    guild_id: string;
    room_id: string;
    user_id: string;
    state: JSONColumnType<object>;
    expires_at_ms: number;
    answered_at_ms: number | null;
  };
  /** Codes to cast or sign as a proof of owning or moderating a channel. */
  "castellan.link_codes": {
    code: string;
    guild_id: string;
    channel_id: string;
    user_id: string;
    /** The room where it was requested, and is answered. */
    room_id: string;
    made_at_ms: number;
    expires_at_ms: number;
    used_at_ms: number | null;
  };
  /** Casts that contain such a code. */
  "castellan.code_casts": {
    cast_hash: string;
    code: string;
    fid: number;
    /** UNIX seconds. */
    merged_at: number;
    /** The text contains only the code. */
    is_exact: boolean;
    /** The key that signed it, in hex; null if it is unsigned, or has more than text. */
    signer: string | null;
    /** Removed by its author before it was checked. */
    is_removed: Generated<boolean>;
    outcome: CodeOutcome | null;
    judged_at_ms: number | null;
  };
  /** Discord users who proved that they hold a fid that owns or moderates a channel; separate for each server. */
  "castellan.staff_proofs": {
    guild_id: string;
    channel_id: string;
    user_id: string;
    fid: number;
    method: "cast" | "signature";
    cast_hash: string | null;
    /** The fid's, in lower case; null if the network did not return it. A later holder of the fid has proved nothing. */
    custody_address: string | null;
    proven_at_ms: number;
    custody_read_at_ms: number | null;
  };
  /** Console sessions, by the hash of the cookie's token. */
  "castellan.console_sessions": {
    token_hash: string;
    user_id: string;
    begun_at_ms: number;
    expires_at_ms: number;
  };
  "castellan.api_tokens": ApiTokenTable;
  /** Requests that change something: the answer of one that is repeated is the same. */
  "castellan.api_requests": {
    id: Generated<number>;
    token_id: number;
    idempotency_key: string;
    /** Of method, path and body. */
    content_hash: string;
    /** JSON; null until it is done. */
    answer: string | null;
    requested_at_ms: number;
    lease_token: string | null;
    leased_until_ms: Generated<number>;
  };
  "castellan.bulk_numbers": { guild_id: string; last_number: number };
  "castellan.bulks": BulkTable;
  /** The commands registered with Discord, by hash. */
  "castellan.deployments": { application_id: string; commands_hash: string };
}

/** A token with which programs use the API of a server, in the name of its creator. */
export interface ApiTokenTable {
  id: Generated<number>;
  guild_id: string;
  name: string;
  secret_hash: string;
  capabilities: string[];
  /** Discord user id. */
  created_by: string;
  created_at_ms: number;
  expires_at_ms: number;
  used_at_ms: number | null;
  revoked_at_ms: number | null;
}

/** A bulk's action on its targets; "undo" undoes an earlier case for each of them. */
export type BulkKind = "hide" | "unhide" | "ban" | "unban" | "invite" | "undo";

/** An action on many targets, each of them a case. */
export interface BulkTable {
  id: Generated<number>;
  guild_id: string;
  /** The first of its channels. */
  channel_id: string;
  other_channel_ids: Generated<string[]>;
  /** Sequential per server; the number that people quote. */
  number: number;
  kind: BulkKind;
  /** The requested selection, in words: "casts with `airdrop`". */
  selection: string;
  /** The single user that it concerns, if there is one. */
  subject_fid: number | null;
  reason: string | null;
  /** Discord user id. */
  requested_by: string;
  actor_fid: number | null;
  /** The number of targets at the start. */
  targets: number;
  undoes_bulk_id: number | null;
  begun_at_ms: number;
  /** When the last target was settled. */
  ended_at_ms: number | null;
  /** Discord user id of the person who stopped the rest. */
  stopped_by: string | null;
  /** The bulk does not continue before this time, because of the network's limit or a missing response. */
  retry_at_ms: number | null;
  leased_until_ms: number | null;
  lease_token: string | null;
}

/** The result of a cast with a code; "spent" if the code had already been used. */
export type CodeOutcome =
  | "proven"
  | "late"
  | "inexact"
  | "removed"
  | "stranger"
  | "unknown channel"
  | "spent"
  /** Not signed by any of its author's keys; a hub invented it. */
  | "forged"
  /** Only one hub confirms whose key it is. */
  | "unconfirmed";
