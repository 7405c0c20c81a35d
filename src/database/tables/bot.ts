import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { CaseState } from "./case-states.ts";

/** Shared tables of the bot half. `_ms` columns are UNIX milliseconds, others seconds. */
export interface BotTables {
  "castellan.links": {
    guild_id: string;
    channel_id: string;
    channel_url: string;
    channel_name: string;
    linked_by: string;
    linked_at_ms: number;
    /** Time of the last check of the proof of rights. */
    verified_at_ms: number;
    /** While set, nothing is done for this server, because its proof of rights is gone or unreadable. */
    suspended_at_ms: number | null;
    suspended_reason: string | null;
    /** The first and the last of the consecutive failed checks of the proof, and their number. */
    unreadable_since_ms: number | null;
    unreadable_at_ms: number | null;
    unreadable_tries: Generated<number>;
    /** While set, the bot does not moderate the channel: commands report that and rules pause. */
    bot_role_lost_at_ms: number | null;
    /** The bot's last known onboarding stage before it became a moderator, and the network's latest response. */
    onboarding_stage: "member" | "follower" | null;
    onboarding_error: string | null;
    onboarding_checked_at_ms: number | null;
    /** Consecutive checks with the same result. */
    onboarding_checks: Generated<number>;
  };
  "castellan.counters": { name: string; last_id: number };
  "castellan.events": EventTable;
  "castellan.casts": {
    hash: string;
    channel_id: string;
    fid: number;
    text: string;
    parent_hash: string | null;
    root_hash: string;
    thread_depth: number;
    embeds: JSONColumnType<string[]>;
    mentions: JSONColumnType<number[], string | undefined>;
    /** Positions of the mentioned users' names in the text, in UTF-8 bytes. */
    mentions_positions: JSONColumnType<number[], string | undefined>;
    /** Hashes of casts. */
    quotes: JSONColumnType<string[], string | undefined>;
    cast_at: number;
    removed_at: number | null;
    /** By a moderation record. */
    hidden: Generated<boolean>;
    /** When its text and embeds were erased, because of age or at the author's request. */
    erased_at_ms: number | null;
    /** Read from before the link; no event has brought it yet. */
    from_past: Generated<boolean>;
    /** Whether earlier replies to it have been read. */
    replies_known: Generated<boolean>;
  };
  /** The current holder of each name, according to the hub's proofs. */
  "castellan.names": { name: string; fid: number; owner: string; since: number };
  /** When names lost their last holder: UNIX seconds. */
  "castellan.released_names": { name: string; since: number };
  /** A user's chosen name; valid while they hold it. UNIX seconds. */
  "castellan.shown_names": { fid: number; name: string; since: number };
  "castellan.cases": CaseTable;
  /** Banned users, as far as Castellan knows. */
  "castellan.banned_users": { channel_id: string; fid: number };
  "castellan.ban_expiries": SaidEndView;
  "castellan.standing_bans": StandingBanView;
  "castellan.case_changes": CaseChangeTable;
  "castellan.setup_changes": SetupChangeTable;
}

/** A cast's content besides its text. */
export interface CastExtras {
  embeds: readonly string[];
  mentions: readonly number[];
  mentionsPositions: readonly number[];
  quotes: readonly string[];
}

export interface EventTable {
  id: number;
  source_key: string;
  kind: string;
  channel_id: string | null;
  subject_fid: number | null;
  cast_hash: string | null;
  occurred_at: number;
  observed_at_ms: number;
  depth: number;
  case_id: number | null;
  data: JSONColumnType<object>;
}

/** Comments on a case and changes to it; the case itself has the current values. */
export interface CaseChangeTable {
  id: Generated<number>;
  case_id: number;
  kind: "comment" | "reason" | "end";
  /** Discord user id. */
  by_user: string;
  at_ms: number;
  text: string;
}

/** Changes of a server's rules, settings, feeds and links, with their authors. */
export interface SetupChangeTable {
  id: Generated<number>;
  guild_id: string;
  /** null if it applies to all channels. */
  channel_id: string | null;
  kind: "rules" | "capabilities" | "feeds" | "links" | "automod" | "tokens" | "webhooks";
  /** Discord user id. */
  by_user: string;
  at_ms: number;
  what: string;
}

/** Expiry times that count for a ban: from each server's cases in force. */
export interface SaidEndView {
  id: number;
  guild_id: string;
  target_key: string;
  state: CaseState;
  /** UNIX milliseconds; null for permanent. */
  due_at_ms: number | null;
}

/** The expiry of each target's ban, from everything that Castellan knows, over all servers. */
export interface StandingBanView {
  target_key: string;
  /** UNIX milliseconds; null for permanent. */
  until_ms: number | null;
  /** The case with this expiry. */
  case_id: number;
}

/** An action of the rule itself, one that a person chose instead, or one that undoes another. */
export type ActionSource = "rule" | "person" | "undo";

export type CaseKind =
  | "invite"
  | "revoke_invite"
  | "remove_member"
  | "ban"
  | "unban"
  /** A new expiry for a ban in force. */
  | "change_expiry"
  | "hide"
  | "unhide"
  | "pin"
  | "unpin";

/** The result of a case. */
export type CaseOutcome =
  /** Done as requested, by our call. */
  | "done"
  /** The target was already in that state. */
  | "already"
  /** An invite was accepted just before it was revoked: the call removed a member. */
  | "removed_member"
  /** A ban was lifted, but somebody has banned the user again. */
  | "banned_again"
  | "end_changed"
  | "end_unchanged"
  /** There was no ban to change. */
  | "not_banned"
  /** A timed ban was not lifted, because another case bans for longer. */
  | "banned_longer"
  /** An undo was not done, because a later case did the same. */
  | "done_by_another"
  /** An undo was not done, because the undone case turned out to have changed nothing. */
  | "nothing_to_undo"
  | "server_left"
  | "rules_paused"
  | "bulk_stopped"
  | "link_removed"
  | "link_suspended"
  /** Our call got no response, and somebody has changed the target since. */
  | "changed_since"
  /** The network stayed unreachable through all retries. */
  | "no_response"
  | "refused"
  /** Rejected because of a network limit. */
  | "limit_reached"
  /** A sentence from an earlier version. */
  | "other";

/** The values in an outcome's sentence. */
export interface OutcomeDetail {
  /** Another case of the same server; null if it is another server's. */
  caseNumber?: number | null;
  kind?: CaseKind | null;
  /** UNIX milliseconds; null for permanent. */
  untilMs?: number | null;
  beforeMs?: number | null;
  minutes?: number;
  /** The network's error code. */
  code?: string;
  message?: string;
}

/** The network's limit is used up, or it did not respond. */
export type WaitReason = "limit" | "response";

export interface CaseTable {
  id: Generated<number>;
  guild_id: string;
  channel_id: string;
  /** Sequential per server and channel; the number that people quote. */
  number: number;
  /** Equal for all cases about one target, which are applied one after the other (`targetKey`). */
  target_key: string;
  kind: CaseKind;
  state: CaseState;
  target_fid: number | null;
  target_cast: string | null;
  /** The target user, or the author of the target cast; null while the cast is unknown. */
  subject_fid: Generated<number | null>;
  role: "member" | "moderator" | null;
  actor_kind: "person" | "rule" | "outside";
  /** Discord user id. */
  actor_user: string | null;
  actor_fid: number | null;
  /** The API token that acted in the user's name, and the row of its request while that is stored. */
  actor_token: string | null;
  api_request_id: number | null;
  rule_id: string | null;
  rule_version: number | null;
  cause_event_id: number | null;
  /** For a rule's action: its index in the rule, and where it comes from. */
  action_index: number | null;
  action_source: ActionSource | null;
  /** How often the review that requested it had been reopened. */
  review_round: number | null;
  depth: Generated<number>;
  public_reason: string | null;
  private_reason: string | null;
  /** The cast's text at that time. */
  evidence: string | null;
  /** The cast's content besides its text. */
  evidence_extras: ColumnType<CastExtras | null, CastExtras | string | null | undefined, string | null>;
  notify: Generated<boolean>;
  /** The result; `moderation/cases/outcome.ts` has the sentences. Null while requested, and for other people's actions. */
  outcome: CaseOutcome | null;
  /** Values for the sentence. */
  outcome_detail: ColumnType<OutcomeDetail | null, OutcomeDetail | null | undefined, OutcomeDetail | null>;
  /** Why a requested case has to wait. */
  waiting_reason: WaitReason | null;
  requested_at_ms: number;
  settled_at_ms: number | null;
  attempts: Generated<number>;
  /** When the call was first sent; the network may have carried it out since then. */
  sent_at_ms: number | null;
  /** The target's state before that, to detect changes by others since. */
  state_before: Generated<string | null>;
  /** A requested case is not retried before this time. */
  retry_at_ms: number | null;
  leased_until_ms: number | null;
  lease_token: string | null;
  /** When a timed action expires. */
  due_at_ms: number | null;
  /** For a `change_expiry`: the ban's previous expiry; null for permanent. */
  previous_expiry_ms: number | null;
  /** The earlier case whose effect this one ends. */
  ends_case_id: number | null;
  /** For a `reverted` case: it expired, and was not undone. */
  has_expired: Generated<boolean>;
  /** For a `reverted` case: the case that ended it, if known. */
  reverted_by_case_id: Generated<number | null>;
  /** The event of its effect. */
  event_id: number | null;
  /**
   * Whether the network has shown the call's effect ("seen") or is expected to ("expected"). null without a call, and
   * once the echo is resolved.
   */
  echo: Generated<"expected" | "seen" | null>;
  /** The bulk that this case is a part of. */
  bulk_id: number | null;
  /** The case that this one undoes. */
  undoes_case_id: number | null;
}
