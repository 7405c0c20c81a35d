import type { ColumnType, Generated } from "kysely";
import type { ActionSource, CastExtras } from "./bot.ts";

/** Actions of rules other than cases. `_ms` columns are UNIX milliseconds. */
export interface RuleActTables {
  /** A server's points against a user in a channel. */
  "castellan.strikes": {
    id: Generated<number>;
    guild_id: string;
    channel_id: string;
    fid: number;
    points: number;
    given_at_ms: number;
    /** When they stop counting; null for never. */
    expires_at_ms: number | null;
    /** The rule and event that gave them; null if a moderator did. */
    event_id: number | null;
    rule_id: string | null;
    rule_version: number | null;
    action_index: number | null;
    action_source: ActionSource | null;
    review_round: number | null;
    /** Discord user ids of the moderators who gave them and who removed them. */
    given_by: string | null;
    reason: string | null;
    removed_by: string | null;
    removed_at_ms: number | null;
  };
  /** Notes about a user by rules and moderators. */
  "castellan.user_notes": {
    id: Generated<number>;
    guild_id: string;
    channel_id: string;
    fid: number;
    text: string;
    written_at_ms: number;
    event_id: number | null;
    rule_id: string | null;
    action_index: number | null;
    action_source: ActionSource | null;
    review_round: number | null;
    /** Discord user ids of the moderators who wrote it and who removed it. */
    written_by: string | null;
    removed_by: string | null;
    removed_at_ms: number | null;
  };
  "castellan.review_items": ReviewItemTable;
  /** Reports of a review's cast: who and why. Discord user ids. */
  "castellan.reports": {
    item_id: number;
    guild_id: string;
    user_id: string;
    reason: string | null;
    reported_at_ms: number;
  };
  /** Appeals, each of a case by its target. */
  "castellan.appeals": {
    item_id: number;
    case_id: number;
    guild_id: string;
    /** Discord user id. */
    user_id: string;
    made_at_ms: number;
    /** The language of their Discord app ("de"); null for appeals from before it was stored. */
    locale: Generated<string | null>;
    /** The review's round whose decision they have seen. */
    seen_round: Generated<number | null>;
  };
  /** Members whose reports a channel's moderators ignore. */
  "castellan.ignored_reporters": {
    guild_id: string;
    channel_id: string;
    user_id: string;
    ignored_by: string;
    ignored_at_ms: number;
  };
  /** A rule does not act on a subject again until its cooldown ends. */
  "castellan.rule_cooldowns": { guild_id: string; rule_id: string; subject: string; until_ms: number };
  /** One row per rule with a breaker; locking it makes workers count one at a time. */
  "castellan.rule_breakers": {
    guild_id: string;
    rule_id: string;
    tripped_at_ms: number | null;
    /** The rules' version in which it tripped: actions of that version are stopped. */
    tripped_version: number | null;
  };
  /** While a row exists, a rule hides non-members' casts in the channel. */
  "castellan.lockdowns": {
    guild_id: string;
    channel_id: string;
    rule_id: string;
    /** Discord user id. */
    begun_by: string;
    reason: string | null;
    begun_at_ms: number;
    until_ms: number;
  };
  /** While a row exists, rules do not act in the channel. */
  "castellan.automod_pauses": {
    guild_id: string;
    channel_id: string;
    /** Discord user id. */
    paused_by: string;
    reason: string | null;
    paused_at_ms: number;
    until_ms: number | null;
  };
}

/** An action that waits for a person's decision, or had one: of a rule, a report or an appeal (review-sources.ts). */
export interface ReviewItemTable {
  id: Generated<number>;
  /** Identifies it in its buttons; random, so that they match no item of another database. */
  tag: Generated<string>;
  guild_id: string;
  channel_id: string;
  /** The name of the queue that lists it. */
  queue: string;
  event_id: number;
  /** If a person created it: a value of `idOfSource`, version 0, and the event that announced it. */
  rule_id: string;
  rule_version: number;
  /** Depth of the effects of the queued actions. */
  depth: number;
  fid: number | null;
  cast_hash: string | null;
  /** The text that the rule read. */
  evidence: string | null;
  /** The cast's content besides its text. */
  evidence_extras: ColumnType<CastExtras | null, CastExtras | string | null | undefined, string | null>;
  /** Why the rule did not act itself. */
  why: string | null;
  /** JSON of the queued actions (HeldAction[]). */
  actions: string;
  state: Generated<"open" | "approved" | "hidden" | "banned" | "dismissed">;
  queued_at_ms: number;
  /** Discord user ids. */
  claimed_by: string | null;
  claimed_at_ms: number | null;
  reminded_at_ms: number | null;
  decided_by: string | null;
  /** The API token that decided in their name. */
  decided_token: string | null;
  decided_at_ms: number | null;
  /** The item that represents all channels of the review; null if this is it. */
  head_id: Generated<number | null>;
  /** How often a decision on it was undone; distinguishes the effects of each decision. */
  round: Generated<number>;
  /** For the head: the user who wants the owner to decide. */
  escalated_by: Generated<string | null>;
  escalated_at_ms: Generated<number | null>;
  undone_by: Generated<string | null>;
  undone_at_ms: Generated<number | null>;
}
