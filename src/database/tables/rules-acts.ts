import type { ColumnType, Generated } from "kysely";
import type { ActionSource, CastExtras } from "./bot.ts";

/** What rules do besides cases. `_ms` columns are UNIX milliseconds. */
export interface RuleActTables {
  /** Points against a user in a channel, as one server counts them. */
  "castellan.strikes": {
    id: Generated<number>;
    guild_id: string;
    channel_id: string;
    fid: number;
    points: number;
    given_at_ms: number;
    /** From then on they do not count; null for never. */
    expires_at_ms: number | null;
    /** Of the rule that gave them; null where somebody did by hand. */
    event_id: number | null;
    rule_id: string | null;
    rule_version: number | null;
    action_index: number | null;
    action_source: ActionSource | null;
    review_round: number | null;
    /** Discord user ids, of who gave them by hand and who took them back. */
    given_by: string | null;
    reason: string | null;
    removed_by: string | null;
    removed_at_ms: number | null;
  };
  /** What rules and moderators wrote down about a user. */
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
    /** Discord user ids, of who wrote it by hand and who took it back. */
    written_by: string | null;
    removed_by: string | null;
    removed_at_ms: number | null;
  };
  "castellan.review_items": ReviewItemTable;
  /** Who reported the cast of a review, and why. Discord user ids. */
  "castellan.reports": {
    item_id: number;
    guild_id: string;
    user_id: string;
    reason: string | null;
    reported_at_ms: number;
  };
  /** The case that a review is asked for by whoever it is about. */
  "castellan.appeals": {
    item_id: number;
    case_id: number;
    guild_id: string;
    /** Discord user id. */
    user_id: string;
    made_at_ms: number;
    /** The round of the review whose decision they have seen. */
    seen_round: Generated<number | null>;
  };
  /** Members whose reports the moderators of a channel do not take any more. */
  "castellan.ignored_reporters": {
    guild_id: string;
    channel_id: string;
    user_id: string;
    ignored_by: string;
    ignored_at_ms: number;
  };
  /** A rule does not act on a subject again before the end of its cooldown. */
  "castellan.rule_cooldowns": { guild_id: string; rule_id: string; subject: string; until_ms: number };
  /** One row per rule with a breaker; holding it lets one worker at a time count. */
  "castellan.rule_breakers": {
    guild_id: string;
    rule_id: string;
    tripped_at_ms: number | null;
    /** The version of the rules that it tripped in: nothing of it acts any more. */
    tripped_version: number | null;
  };
  /** While a row stands, a rule hides what people who are not members cast in the channel. */
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
  /** While a row stands, rules do not act in the channel. */
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

/** What a rule held for a person. */
export interface ReviewItemTable {
  id: Generated<number>;
  /** Names it in its buttons: random, so that they fit no item of another database. */
  tag: Generated<string>;
  guild_id: string;
  channel_id: string;
  /** A name under which it is listed. */
  queue: string;
  event_id: number;
  /** Where people brought it here and no rule did, what src/text/case-sources.ts has for that, version 0 and the event that announced it. */
  rule_id: string;
  rule_version: number;
  /** Depth of what the held actions cause. */
  depth: number;
  fid: number | null;
  cast_hash: string | null;
  /** The text that the rule saw. */
  evidence: string | null;
  /** What the cast showed beside its text. */
  evidence_extras: ColumnType<CastExtras | null, CastExtras | string | null | undefined, string | null>;
  /** Why a rule that acts did not. */
  why: string | null;
  /** JSON of the held actions (HeldAction[]). */
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
  /** The item that stands for all channels of the matter; null where this is it. */
  head_id: Generated<number | null>;
  /** How often a decision on it was taken back: what it causes is told apart by that. */
  round: Generated<number>;
  /** Of the head: who wants the owner to decide. */
  escalated_by: Generated<string | null>;
  escalated_at_ms: Generated<number | null>;
  undone_by: Generated<string | null>;
  undone_at_ms: Generated<number | null>;
}
