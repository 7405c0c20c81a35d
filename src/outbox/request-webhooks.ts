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

/** Removes an unlinked channel from the server's webhooks. A webhook without channels stays, but is not called. */
export async function uncoverChannel(tx: Tx, guildId: string, channelId: string): Promise<void> {
  await sql`
    update castellan.webhooks set channel_ids = array_remove(channel_ids, ${channelId}::text)
    where guild_id = ${guildId} and ${channelId}::text = any(channel_ids)
  `.execute(tx);
}

/** Links that are not suspended, of servers with Castellan. */
const workingLinks = sql`
  select guild_id, channel_id from castellan.links
  where suspended_at_ms is null and guild_id not in (select guild_id from castellan.absent_servers)`;

/** Those of a webhook's channels that it may be called for now. */
export async function listServed(
  tx: Tx,
  { guildId, channelIds }: { guildId: string; channelIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ channelId: string }>`
    select channel_id as "channelId" from (${workingLinks}) as link
    where guild_id = ${guildId} and channel_id = any(${channelIds}::text[])
  `.execute(tx);
  return rows.map(({ channelId }) => channelId);
}

export function isWebhook(destination: string): boolean {
  return destination.startsWith("webhook ");
}

/**
 * Requests the calls of all webhooks that want these events, in the transaction that makes them happen. A channel whose
 * link is suspended, and a server without Castellan, get none. Returns the destinations to wake.
 */
export async function requestWebhooks(
  tx: Tx,
  causes: readonly WebhookCause[],
  nowMs: number,
): Promise<string[]> {
  if (causes.length === 0) return [];
  const { rows } = await sql<{ destination: string }>`
    with cause as (
      select * from jsonb_to_recordset(${JSON.stringify(causes)}::text::jsonb)
        as given ("guildId" text, "channelId" text, event text, subject bigint)),
    link as (${workingLinks}),
    wanted as (
      select hook.id, event, subject from cause
      join link on link.channel_id = cause."channelId" and link.guild_id = coalesce(cause."guildId", link.guild_id)
      join castellan.webhooks as hook on hook.guild_id = link.guild_id
        and cause.event = any(hook.events) and cause."channelId" = any(hook.channel_ids)
      union all
      select hook.id, event, subject from cause
      join castellan.webhooks as hook on hook.guild_id = coalesce(cause."guildId", hook.guild_id)
        and cause.event = any(hook.events)
      where cause."channelId" is null and exists (
        select from link where link.guild_id = hook.guild_id and link.channel_id = any(hook.channel_ids)))
    insert into castellan.outbox (kind, key, destination, data, requested_at_ms, due_at_ms)
    select 'webhook', concat_ws(' ', id, event, subject), 'webhook ' || id,
      jsonb_build_object('webhook', jsonb_build_object('id', id, 'event', event, 'subject', subject)),
      ${nowMs}::bigint, ${nowMs}::bigint
    from wanted order by subject
    on conflict (kind, key) do nothing
    returning destination
  `.execute(tx);
  return [...new Set(rows.map(({ destination }) => destination))];
}
