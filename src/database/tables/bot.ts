import type { ColumnType, Generated, JSONColumnType } from "kysely";

/** What the parts of the bot half share. `_ms` columns are UNIX milliseconds, others seconds. */
export interface BotTables {
  "castellan.links": {
    guild_id: string;
    channel_id: string;
    channel_url: string;
    channel_name: string;
    linked_by: string;
    linked_at_ms: number;
    /** When the proof of rights was last read. */
    verified_at_ms: number;
    /** While set, nothing is done for this server: its proof of rights is gone or cannot be read. */
    suspended_at_ms: number | null;
    suspended_reason: string | null;
    /** While set, the bot does not moderate the channel: commands say so and rules pause. */
    bot_role_lost_at_ms: number | null;
    /** Until then: how far the bot came on its way, as it last saw, and what the network answered when it went on. */
    onboarding_stage: "member" | "follower" | null;
    onboarding_error: string | null;
    onboarding_checked_at_ms: number | null;
    /** Looks that showed the same. */
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
    /** Where in the text the names of the mentioned belong, in UTF-8 bytes. */
    mentions_positions: JSONColumnType<number[], string | undefined>;
    /** Hashes of casts. */
    quotes: JSONColumnType<string[], string | undefined>;
    cast_at: number;
    removed_at: number | null;
    /** By a moderation record. */
    hidden: Generated<boolean>;
    /** When its text and what it showed beside it were blanked: too old, or on the author's request. */
    erased_at_ms: number | null;
    /** It was asked for, and no event has brought it yet. */
    from_past: Generated<boolean>;
    /** Whether what replied to it before has been read. */
    replies_known: Generated<boolean>;
  };
  /** Who holds which name now, as the hub's proofs say. */
  "castellan.names": { name: string; fid: number; owner: string; since: number };
  /** Names that somebody had until then: UNIX seconds. */
  "castellan.released_names": { name: string; since: number };
  /** The name that a user says is theirs; it counts while they hold it. UNIX seconds. */
  "castellan.shown_names": { fid: number; name: string; since: number };
  "castellan.cases": CaseTable;
  /** Who is banned, as far as Castellan knows. */
  "castellan.banned_users": { channel_id: string; fid: number };
  "castellan.ban_expiries": SaidEndView;
  "castellan.standing_bans": StandingBanView;
  "castellan.case_changes": CaseChangeTable;
  "castellan.setup_changes": SetupChangeTable;
}

/** What a cast shows with its text. */
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

/** What people wrote beside a case, or changed of it: what it says now stands in the case. */
export interface CaseChangeTable {
  id: Generated<number>;
  case_id: number;
  kind: "comment" | "reason" | "end";
  /** Discord user id. */
  by_user: string;
  at_ms: number;
  text: string;
}

/** Who changed what of a server's rules, settings, feeds and links. */
export interface SetupChangeTable {
  id: Generated<number>;
  guild_id: string;
  /** null for what belongs to all channels. */
  channel_id: string | null;
  kind: "rules" | "capabilities" | "feeds" | "links" | "automod" | "tokens";
  /** Discord user id. */
  by_user: string;
  at_ms: number;
  what: string;
}

/** What counts for when a ban ends: cases of each server in force. */
export interface SaidEndView {
  id: number;
  guild_id: string;
  target_key: string;
  state: CaseState;
  /** UNIX milliseconds; null for good. */
  due_at_ms: number | null;
}

/** Until when a ban holds, by all that Castellan knows: of each target, over all servers. */
export interface StandingBanView {
  target_key: string;
  /** UNIX milliseconds; null for good. */
  until_ms: number | null;
  /** By which it holds for so long. */
  case_id: number;
}

/** An action of the rule itself, what a person chose instead, or what takes one of them back. */
export type ActionSource = "rule" | "person" | "undo";

export type CaseKind =
  | "invite"
  | "revoke_invite"
  | "remove_member"
  | "ban"
  | "unban"
  /** Another end of a ban that stands. */
  | "change_expiry"
  | "hide"
  | "unhide"
  | "pin"
  | "unpin";
export type CaseState = "requested" | "applied" | "already" | "failed" | "outside" | "reverted";

/** What became of a case. */
export type CaseOutcome =
  /** As asked for, by our call. */
  | "done"
  /** It was in that state before. */
  | "already"
  /** An invite was accepted just before it was revoked: the call removed a member. */
  | "removed_member"
  /** A ban was lifted, and somebody has banned the user again. */
  | "banned_again"
  | "end_changed"
  | "end_unchanged"
  /** There was no ban whose end could be changed. */
  | "not_banned"
  /** A timed ban was not lifted because another case bans for longer. */
  | "banned_longer"
  /** An undo was not done because a later case did the same. */
  | "done_by_another"
  /** An undo was not done because the case that it takes back turned out to have changed nothing. */
  | "nothing_to_undo"
  | "server_left"
  | "rules_paused"
  | "bulk_stopped"
  | "link_removed"
  | "link_suspended"
  /** Our call got no answer, and somebody has changed the target since. */
  | "changed_since"
  /** The network stayed unreachable through all retries. */
  | "no_response"
  | "refused"
  /** Refused because a limit of the network was reached. */
  | "limit_reached"
  /** A sentence of an earlier version. */
  | "other";

/** The values that the sentence of an outcome is filled in with. */
export interface OutcomeDetail {
  /** Another case of the same server; null for another server's. */
  caseNumber?: number | null;
  kind?: CaseKind | null;
  /** UNIX milliseconds; null for no end. */
  untilMs?: number | null;
  beforeMs?: number | null;
  minutes?: number;
  /** The network's refusal. */
  code?: string;
  message?: string;
}

/** The network's limit is used up, or it did not respond. */
export type WaitReason = "limit" | "response";

export interface CaseTable {
  id: Generated<number>;
  guild_id: string;
  channel_id: string;
  /** Counts up per server and channel; what people quote. */
  number: number;
  /** The same for all cases about one target, which are applied one after the other (`targetKey`). */
  target_key: string;
  kind: CaseKind;
  state: CaseState;
  target_fid: number | null;
  target_cast: string | null;
  /** Whom it is about: the target, or the author of the cast that is; null while nobody knows that cast. */
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
  /** Of a rule's action: which one, and what it was done for. */
  action_index: number | null;
  action_source: ActionSource | null;
  /** How often the review that asked for it had been reopened. */
  review_round: number | null;
  depth: Generated<number>;
  public_reason: string | null;
  private_reason: string | null;
  /** The cast's text at that moment. */
  evidence: string | null;
  /** What it showed beside its text. */
  evidence_extras: ColumnType<CastExtras | null, CastExtras | string | null | undefined, string | null>;
  notify: Generated<boolean>;
  /** What became of it; `moderation/cases/outcome.ts` has the sentences. Null while it is requested, and where others did it. */
  outcome: CaseOutcome | null;
  /** What the sentence needs. */
  outcome_detail: ColumnType<OutcomeDetail | null, OutcomeDetail | null | undefined, OutcomeDetail | null>;
  /** Why a requested case has to wait. */
  waiting_reason: WaitReason | null;
  requested_at_ms: number;
  settled_at_ms: number | null;
  attempts: Generated<number>;
  /** When the call was first sent: from then on the network may have done it. */
  sent_at_ms: number | null;
  /** What the network showed of the target before that, to see whether somebody changed it since. */
  state_before: Generated<string | null>;
  /** Not before this is a requested case tried again. */
  retry_at_ms: number | null;
  leased_until_ms: number | null;
  lease_token: string | null;
  /** When a timed action ends. */
  due_at_ms: number | null;
  /** Of a `change_expiry`: when the ban would have ended without it; null for good. */
  previous_expiry_ms: number | null;
  /** The earlier case whose effect this one ends. */
  ends_case_id: number | null;
  /** Of a `reverted` one: its time was up, and nobody took it back. */
  has_expired: Generated<boolean>;
  /** Of a `reverted` one: the case that ended it, where that is known. */
  reverted_by_case_id: Generated<number | null>;
  /** The event of what it changed. */
  event_id: number | null;
  /**
   * Whether the network has shown the effect of its call ("seen") or is expected to ("expected"). null without a call, and once the
   * echo is resolved.
   */
  echo: Generated<"expected" | "seen" | null>;
  /** The action on many targets that it is a part of. */
  bulk_id: number | null;
  /** The case that a person takes back with this one. */
  undoes_case_id: number | null;
}
