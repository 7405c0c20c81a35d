import type { Generated, JSONColumnType } from "kysely";

/** What is sent to Discord besides posts. `_ms` columns are UNIX milliseconds. */
export interface OutboxTables {
  "castellan.outbox": {
    id: Generated<number>;
    kind: OutboxKind;
    /** What it is about, once for each kind: a message, a case, a review with its round, a cast. */
    key: string;
    /** A room, or a person: what goes to one of them goes one by one. */
    destination: string;
    data: JSONColumnType<OutboxData>;
    /** An erasure that asks for the edit; null for everything else. */
    erasure_id: number | null;
    /** Of the latest request: a later one than the one that is being carried out stays open. */
    requested_at_ms: number;
    due_at_ms: number;
    /** Counted when one begins: what was begun before may have been sent. */
    attempts: Generated<number>;
    lease_token: string | null;
    leased_until_ms: Generated<number>;
    /** dropped: it was not so any more when its turn came. failed: refused, or not possible for too long. */
    state: Generated<"waiting" | "sent" | "dropped" | "failed">;
    error: string | null;
    settled_at_ms: number | null;
  };
}

export type OutboxKind = "edit" | "notice" | "answer" | "proof";

export interface OutboxData {
  /** Of an edit: the events of the message's embeds, in their order; some are deleted by now. */
  eventIds?: number[];
  /** Of an edit: what came of a decision, under the one embed. */
  lines?: string[];
  /** Of a notice: what the moderators wrote. */
  template?: string;
}
