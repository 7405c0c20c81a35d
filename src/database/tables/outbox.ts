import type { Generated, JSONColumnType } from "kysely";

/** Requests to Discord other than posts. `_ms` columns are UNIX milliseconds. */
export interface OutboxTables {
  "castellan.outbox": {
    id: Generated<number>;
    kind: OutboxKind;
    /** The subject, unique per kind: a message, a case, a review with its round, a cast. */
    key: string;
    /** A room or a person; requests to the same destination are sent one at a time. */
    destination: string;
    data: JSONColumnType<OutboxData>;
    /** The erasure that requested the edit; null for everything else. */
    erasure_id: number | null;
    /** Time of the latest request: if it is later than the one being sent, the row stays open. */
    requested_at_ms: number;
    due_at_ms: number;
    /** Counted at the start of an attempt, because an attempt once begun may have succeeded. */
    attempts: Generated<number>;
    lease_token: string | null;
    leased_until_ms: Generated<number>;
    /** dropped: obsolete when its turn came. failed: rejected, or impossible for too long. */
    state: Generated<"waiting" | "sent" | "dropped" | "failed">;
    error: string | null;
    settled_at_ms: number | null;
  };
}

export type OutboxKind = "edit" | "notice" | "answer" | "proof";

export interface OutboxData {
  /** For an edit: the events of the message's embeds, in order; some may have been deleted. */
  eventIds?: number[];
  /** For an edit: the results of a decision, below the one embed. */
  lines?: string[];
  /** For a notice: the moderators' text. */
  template?: string;
}
