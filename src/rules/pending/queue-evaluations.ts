import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { ChannelEvent } from "../../observe/events.ts";
import { ruleEvents } from "../evaluate/occurrence.ts";

/**
 * Queues stored events for every linked channel whose server has rules for their kind, and casts where a lockdown runs. A name belongs to no channel:
 * each linked one has its say. What belongs to a server is that server's alone.
 */
export async function queueEvaluations(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  const relevant = events.filter(concernsRules);
  if (relevant.length === 0) return;
  const rows = relevant.map(({ id, kind, channelId, data }) => ({
    id,
    kind,
    channel: channelId,
    guild: "guildId" in data ? data.guildId : null,
  }));
  await sql`
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
  `.execute(tx);
}

function concernsRules(event: ChannelEvent): boolean {
  // Nobody holds a name that was released.
  if (event.kind === "username_proof.merged") return event.data.change !== "released";
  return ruleEvents.some((kind) => kind === event.kind);
}
