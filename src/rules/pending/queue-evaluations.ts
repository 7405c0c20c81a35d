import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import { afterCommit } from "../../database/transactions.ts";
import type { ChannelEvent } from "../../observe/events.ts";
import { ruleEvents } from "../evaluate/occurrence.ts";

/**
 * Queues stored events for every linked channel whose server has rules for their kind, and casts where a lockdown runs. A
 * name has no channel, so it is queued for each linked one. A server's own event is queued only there. After the commit,
 * those rules run.
 */
export function queueEvaluations({ wake }: Pick<BotContext, "wake">) {
  return async (tx: Tx, events: readonly ChannelEvent[]): Promise<void> => {
    const guildIds = await insertRows(tx, events.filter(concernsRules));
    afterCommit(() => {
      for (const guildId of guildIds) void wake("evaluate-rules", guildId);
    });
  };
}

/** Returns the servers that got a row. */
async function insertRows(tx: Tx, relevant: readonly ChannelEvent[]): Promise<Set<string>> {
  if (relevant.length === 0) return new Set();
  const rows = relevant.map(({ id, kind, channelId, data }) => ({
    id,
    kind,
    channel: channelId,
    guild: "guildId" in data ? data.guildId : null,
  }));
  const inserted = await sql<{ guild_id: string }>`
    insert into castellan.rule_evaluations (event_id, guild_id, channel_id)
    select happened.id, links.guild_id, links.channel_id
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as happened(id bigint, kind text, channel text, guild text)
    join castellan.links on links.suspended_at_ms is null
      and (happened.channel is null or links.channel_id = happened.channel)
      and (happened.guild is null or links.guild_id = happened.guild)
    where exists (
        select from castellan.rules_in_force
        where rules_in_force.guild_id = links.guild_id and happened.kind = any(rules_in_force.event_kinds))
      or (happened.kind = 'cast.created' and exists (
        select from castellan.lockdowns
        where lockdowns.guild_id = links.guild_id and lockdowns.channel_id = links.channel_id))
    on conflict do nothing
    returning guild_id
  `.execute(tx);
  return new Set(inserted.rows.map(({ guild_id }) => guild_id));
}

function concernsRules(event: ChannelEvent): boolean {
  // A released name has no holder.
  if (event.kind === "username_proof.merged") return event.data.change !== "released";
  return ruleEvents.some((kind) => kind === event.kind);
}
