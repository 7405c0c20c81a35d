import type { Generated, JSONColumnType } from "kysely";

/** Requests to Discord other than posts, and calls of webhooks. `_ms` columns are UNIX milliseconds. */
export interface OutboxTables {
  "castellan.outbox": {
    id: Generated<number>;
    kind: OutboxKind;
    /** The subject, unique per kind: a message, a case, a review with its round, a cast, a webhook with an event. */
    key: string;
    /** A room, a person or a webhook; requests to the same destination are sent one at a time. */
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
  "castellan.webhooks": WebhookTable;
}

export type OutboxKind = "edit" | "notice" | "answer" | "proof" | "webhook";

/** What a webhook can be called for. */
export type WebhookEvent = "case.opened" | "case.settled" | "review.opened" | "rule.hit" | "health";

/** An address that is called when something happens in a server. */
export interface WebhookTable {
  id: Generated<number>;
  guild_id: string;
  /** Unique in the server. */
  name: string;
  url: string;
  /** Signs the calls: whsec_ and Base64. In the clear, because signing needs it. */
  secret: string;
  events: WebhookEvent[];
  channel_ids: string[];
  /** Discord user id. */
  created_by: string;
  created_at_ms: number;
  succeeded_at_ms: number | null;
  /** Since then every call has failed; null after a success. */
  failing_since_ms: number | null;
  /** When a post announced it. */
  announced_at_ms: number | null;
  /** In a row. */
  failures: Generated<number>;
  /** Not called before that. */
  retry_at_ms: number | null;
  /** Of the last failure. */
  error: string | null;
}

/** A call of a webhook. The subject is a case for `case.opened`, the webhook for `ping`, and a stored event otherwise. */
export interface WebhookCall {
  id: number;
  event: WebhookEvent | "ping";
  subject: number;
}

export interface OutboxData {
  /** For an edit: the events of the message's embeds, in order; some may have been deleted. */
  eventIds?: number[];
  /** For an edit: the results of a decision, below the one embed. */
  lines?: string[];
  /** For an edit in a room for readers: it may remove a text that nobody should see any more. */
  readers?: true;
  /** For a notice: the moderators' text. */
  template?: string;
  /** Its language; absent for English, and in rows from before it was stored. */
  locale?: string;
  /** For a webhook: what happened. */
  webhook?: WebhookCall;
}
