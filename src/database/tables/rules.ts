import type { Generated } from "kysely";

/** `_ms` columns are UNIX milliseconds. */
export interface RuleTables {
  /** Every version that was ever in force. */
  "castellan.rule_sets": {
    guild_id: string;
    version: number;
    /** The file as written, YAML or JSON. */
    source: string;
    /** What made this version, for people: "import", "mode of scam-links: enforce". */
    change: string;
    /** Discord user id. */
    saved_by: string;
    saved_at_ms: number;
  };
  "castellan.rules_in_force": {
    guild_id: string;
    version: number;
    /** Kinds of event that any rule listens to, so that nothing else is queued. */
    event_kinds: string[];
  };
  /** One row per event and linked channel with rules; gone when evaluated, unless it has something to say. */
  "castellan.rule_evaluations": {
    event_id: number;
    guild_id: string;
    channel_id: string;
    attempts: Generated<number>;
    lease_token: string | null;
    leased_until_ms: number | null;
    settled_at_ms: number | null;
    /** Why no rule was asked. */
    note: string | null;
    /** How often it was put off because something could not be known. */
    postponements: Generated<number>;
    /** Which rules that concerns; null for all, the first time. */
    postponed_rules: string[] | null;
  };
  "castellan.rule_decisions": RuleDecisionTable;
  /** What casts say, in few characters, by which copies are found; goes with the event. */
  "castellan.cast_fingerprints": {
    event_id: number;
    channel_id: string;
    fid: number | null;
    fingerprint: string;
    at: number;
  };
  /** Where casts lead: their domains, and addresses in few characters; goes with the event. */
  "castellan.cast_addresses": {
    event_id: number;
    channel_id: string;
    fid: number | null;
    kind: "domain" | "address";
    address: string;
    at: number;
  };
  /** What replies say, in bits of which few differ where the text nearly is the same; goes with the event. */
  "castellan.reply_fingerprints": {
    event_id: number;
    channel_id: string;
    fid: number | null;
    answered_hash: string;
    /** null where the answered cast was not known when the reply came. */
    answered_fid: number | null;
    fingerprint: string;
    at: number;
  };
  /** When the timers of a server's rules fire next. */
  "castellan.rule_timers": { guild_id: string; channel_id: string; every_seconds: number; due_at_ms: number };
}

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
  /** Why it was not acted on. */
  why: string | null;
  /** The sentence that says what is done. */
  action: string;
  case_id: number | null;
  /** JSON of the evaluated tree (EvaluatedNode). */
  tree: string;
  decided_at_ms: number;
}
