import { sql } from "kysely";
import type { Tx } from "../database/database.ts";
import type { WebhookEvent } from "../database/tables/outbox.ts";

/** Something that webhooks may be called for. */
export interface WebhookCause {
  /** The one server it concerns; null for every server that is linked to the channel. */
  guildId: string | null;
  /** null if it concerns all channels. */
  channelId: string | null;
  event: WebhookEvent;
  /** A case for `case.opened`, otherwise a stored event. */
  subject: number;
}

/** The destination of a webhook's calls. */
export function webhookDestination(id: number): string {
  return `webhook ${id}`;
}

/**
 * Requests the calls of all webhooks that want these events, in the transaction that makes them happen. Returns the
 * destinations to wake.
 */
export async function requestWebhooks(
  tx: Tx,
  causes: readonly WebhookCause[],
  nowMs: number,
): Promise<string[]> {
  if (causes.length === 0) return [];
  const { rows } = await sql<{ destination: string }>`
    insert into castellan.outbox (kind, key, destination, data, requested_at_ms, due_at_ms)
    select 'webhook', concat_ws(' ', hook.id, cause.event, cause.subject), 'webhook ' || hook.id,
      jsonb_build_object('webhook', jsonb_build_object('id', hook.id, 'event', cause.event, 'subject', cause.subject)),
      ${nowMs}::bigint, ${nowMs}::bigint
    from jsonb_to_recordset(${JSON.stringify(causes)}::text::jsonb)
      as cause ("guildId" text, "channelId" text, event text, subject bigint)
    join castellan.webhooks as hook on cause.event = any(hook.events)
      and (cause."channelId" is null or hook.channel_ids is null or cause."channelId" = any(hook.channel_ids))
      and (hook.guild_id = cause."guildId" or cause."guildId" is null and exists (
        select from castellan.links where links.guild_id = hook.guild_id
          and links.channel_id = coalesce(cause."channelId", links.channel_id)))
    order by cause.subject
    on conflict (kind, key) do nothing
    returning destination
  `.execute(tx);
  return [...new Set(rows.map(({ destination }) => destination))];
}
