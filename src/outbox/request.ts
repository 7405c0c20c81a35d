import { sql } from "kysely";
import type { Queryable } from "../database/database.ts";
import type { OutboxData, OutboxKind } from "../database/tables/outbox.ts";

/** A request to send something to Discord. request-webhooks.ts adds those for webhooks. */
interface OutboxRequest {
  kind: OutboxKind;
  key: string;
  destination: string;
  /** UNIX milliseconds. */
  requestedAtMs: number;
  data?: OutboxData;
}

/**
 * Adds requests, in the transaction that makes them necessary. Requesting a message's edit again repeats it, and the
 * newest request counts; everything else is sent once.
 */
export async function request(db: Queryable, requests: readonly OutboxRequest[]): Promise<void> {
  if (requests.length === 0) return;
  await sql`
    insert into castellan.outbox (kind, key, destination, data, requested_at_ms, due_at_ms)
    select kind, key, destination, coalesce(data, '{}'), "requestedAtMs", "requestedAtMs"
    from jsonb_to_recordset(${JSON.stringify(requests)}::text::jsonb)
      as requested (kind text, key text, destination text, data jsonb, "requestedAtMs" bigint)
    on conflict (kind, key) do update set data = excluded.data, state = 'waiting', attempts = 0, error = null, settled_at_ms = null,
      requested_at_ms = greatest(excluded.requested_at_ms, outbox.requested_at_ms + 1), due_at_ms = excluded.due_at_ms
      where outbox.kind = 'edit'
  `.execute(db);
}
