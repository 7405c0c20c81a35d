import type { Generated, JSONColumnType } from "kysely";

/** What only moderation and the Discord side use. `_ms` columns are UNIX milliseconds. */
export interface ModerationTables {
  /** Servers that the bot was removed from, and how often the program looked since. */
  "castellan.absent_servers": { guild_id: string; since_ms: number; checks: Generated<number> };
  "castellan.case_numbers": { guild_id: string; channel_id: string; last_number: number };
  /** What the holders of a Discord role may do in a channel. */
  "castellan.capabilities": { guild_id: string; channel_id: string; role_id: string; capability: string };
  /** Reasons that the moderators of a server choose from. */
  "castellan.saved_reasons": {
    guild_id: string;
    reason: string;
    /** How long a ban for it usually lasts; null where that is asked each time. */
    for_seconds: number | null;
  };
  /** A message with buttons that waits for its actor. */
  "castellan.prompts": {
    id: string;
    /** Command and subcommand: "ban add". */
    path: string;
    guild_id: string;
    room_id: string;
    user_id: string;
    state: JSONColumnType<object>;
    expires_at_ms: number;
    answered_at_ms: number | null;
  };
  /** What somebody was asked to cast or sign, to prove that they own or moderate a channel. */
  "castellan.link_codes": {
    code: string;
    guild_id: string;
    channel_id: string;
    user_id: string;
    /** Where it was asked for, and is answered. */
    room_id: string;
    made_at_ms: number;
    expires_at_ms: number;
    used_at_ms: number | null;
  };
  /** Casts with such a code. */
  "castellan.code_casts": {
    cast_hash: string;
    code: string;
    fid: number;
    /** UNIX seconds. */
    merged_at: number;
    /** It says what was asked, and nothing else. */
    is_exact: boolean;
    /** The key that signed it, in hex; null where nobody did, or more was cast than text. */
    signer: string | null;
    /** Its author took it back before it was judged. */
    is_removed: Generated<boolean>;
    outcome: CodeOutcome | null;
    judged_at_ms: number | null;
  };
  /** Discord users that hold a fid which owns or moderates a channel, by their own proof; for one server each. */
  "castellan.staff_proofs": {
    guild_id: string;
    channel_id: string;
    user_id: string;
    fid: number;
    method: "cast" | "signature";
    cast_hash: string | null;
    /** The fid's, in lower case; null while the network did not say. Whoever else holds the fid later proved nothing. */
    custody_address: string | null;
    proven_at_ms: number;
    custody_read_at_ms: number | null;
  };
  /** Who is signed in to the console, by the hash of the cookie's token. */
  "castellan.console_sessions": {
    token_hash: string;
    user_id: string;
    begun_at_ms: number;
    expires_at_ms: number;
  };
  "castellan.bulk_numbers": { guild_id: string; last_number: number };
  "castellan.bulks": BulkTable;
  /** The commands that Discord has, by hash. */
  "castellan.deployments": { application_id: string; commands_hash: string };
}

/** What a bulk does to its targets; "undo" does to each what takes back an earlier case. */
export type BulkKind = "hide" | "unhide" | "ban" | "unban" | "invite" | "undo";

/** An action on many targets, which are cases. */
export interface BulkTable {
  id: Generated<number>;
  guild_id: string;
  channel_id: string;
  /** Counts up per server; what people quote. */
  number: number;
  kind: BulkKind;
  /** What was asked for, in words: "casts with `airdrop`". */
  selection: string;
  /** The one user whom all of it is about. */
  subject_fid: number | null;
  reason: string | null;
  /** Discord user id. */
  requested_by: string;
  actor_fid: number | null;
  /** How many there were when it began. */
  targets: number;
  undoes_bulk_id: number | null;
  begun_at_ms: number;
  /** When each target was settled. */
  ended_at_ms: number | null;
  /** Discord user id of whoever had the rest left alone. */
  stopped_by: string | null;
  /** Not before this does it go on: the network's limit is used up, or it did not answer. */
  retry_at_ms: number | null;
  leased_until_ms: number | null;
  lease_token: string | null;
}

/** What a cast with a code amounts to; "spent" where the code was used before. */
export type CodeOutcome =
  | "proven"
  | "late"
  | "inexact"
  | "removed"
  | "stranger"
  | "unknown channel"
  | "spent"
  /** No key of its author signed it: a hub made it up. */
  | "forged"
  /** A hub says whose the key is, and nobody else does. */
  | "unconfirmed";
