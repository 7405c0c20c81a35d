import type { Generated } from "kysely";

/** `_ms` columns are UNIX milliseconds. */
export interface RuleTables {
  /** Every version that was ever in force. */
  "castellan.rule_sets": {
    guild_id: string;
    version: number;
    /** The file as written, YAML or JSON. */
    source: string;
    /** How this version was created, for people: "import", "mode of scam-links: enforce". */
    change: string;
    /** Discord user id. */
    saved_by: string;
    saved_at_ms: number;
  };
  "castellan.rules_in_force": {
    guild_id: string;
    version: number;
    /** Event kinds that rules use; other events are not queued. */
    event_kinds: string[];
  };
  /** One row per event and linked channel with rules; deleted after evaluation, unless it has a result. */
  "castellan.rule_evaluations": {
    event_id: number;
    guild_id: string;
    channel_id: string;
    attempts: Generated<number>;
    lease_token: string | null;
    leased_until_ms: number | null;
    settled_at_ms: number | null;
    /** Why no rule was evaluated. */
    note: string | null;
    /** How often it was postponed because a fact was unavailable. */
    postponements: Generated<number>;
    /** The rules that were postponed; null the first time, for all. */
    postponed_rules: string[] | null;
  };
  "castellan.rule_decisions": RuleDecisionTable;
  /** Short fingerprints of casts' texts, to find copies; deleted with the event. */
  "castellan.cast_fingerprints": {
    event_id: number;
    channel_id: string;
    fid: number | null;
    fingerprint: string;
    at: number;
  };
  /** Link targets of casts: domains, and fingerprints of addresses; deleted with the event. */
  "castellan.cast_addresses": {
    event_id: number;
    channel_id: string;
    fid: number | null;
    kind: "domain" | "address";
    address: string;
    at: number;
  };
  /** Fingerprints of replies that differ in few bits if the texts are nearly equal; deleted with the event. */
  "castellan.reply_fingerprints": {
    event_id: number;
    channel_id: string;
    fid: number | null;
    answered_hash: string;
    /** null if the parent was unknown when the reply came. */
    answered_fid: number | null;
    fingerprint: string;
    at: number;
  };
  /** When the timers of a server's rules are next due. */
  "castellan.rule_timers": { guild_id: string; channel_id: string; every_seconds: number; due_at_ms: number };
}

/** The verdict of a rule on an event, with the outcome of one of its actions. */
export interface RuleDecisionTable {
  id: Generated<number>;
  event_id: number;
  guild_id: string;
  channel_id: string;
  rule_id: string;
  rule_version: number;
  action_index: number;
  mode: "shadow" | "review" | "enforce";
  outcome:
    | "acted"
    | "would_have"
    | "unknown"
    | "too_old"
    | "paused"
    | "impossible"
    | "held"
    | "cooling"
    | "postponed";
  /** Why no action was taken. */
  why: string | null;
  /** A sentence that describes the action. */
  action: string;
  case_id: number | null;
  /** JSON of the evaluated tree (EvaluatedNode). */
  tree: string;
  decided_at_ms: number;
}
