import { sql } from "kysely";
import type { Tx } from "../database/database.ts";
import type { ChannelEvent } from "../observe/event.ts";
import { feedKindOf, isTold, type ToldEvent } from "./feed-kind.ts";

/**
 * One row for each room that wants each event: a subscriber of the transaction that stores them. A room hears of the
 * channels that its server is linked to, and of what belongs to no channel as long as there is one. What is meant for one room
 * goes there alone, and only if it is a room of that server.
 */
export async function queueFeedRows(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  const told = events.filter(isTold);
  if (told.length === 0) return;
  await sql`
    insert into castellan.feed_rows (room_id, event_id)
    select distinct feeds.room_id, told.id
    from jsonb_to_recordset(${JSON.stringify(told.map(describeEvent))}::text::jsonb) as told
      (id bigint, kind text, channel_id text, guild_id text, room_id text, fids bigint[], names text[])
    join castellan.feeds on ended_at_ms is null and case when told.room_id is null then told.kind = any(feeds.kinds)
      and (told.channel_id is null or feeds.channel_ids is null or told.channel_id = any(feeds.channel_ids))
      else feeds.room_id = told.room_id end
    where coalesce(told.guild_id, feeds.guild_id) = feeds.guild_id
      and (told.guild_id is not null or exists (
        select from castellan.links where links.guild_id = feeds.guild_id
          and links.channel_id = coalesce(told.channel_id, links.channel_id)))
      and (told.names is null or feeds.name_pattern is null or exists (
        select from unnest(told.names) as name where name ilike ${likePattern}))
      and (told.names is null or not feeds.people_only or exists (
        select from castellan.listing_entries entries join castellan.links using (channel_id)
        where links.guild_id = feeds.guild_id and entries.listing = 'members' and entries.fid = any(told.fids)))
    on conflict do nothing
  `.execute(tx);
}

/** `*` stands for any characters, everything else for itself. */
const likePattern = sql.raw(
  String.raw`replace(regexp_replace(feeds.name_pattern, '([\\%_])', '\\\1', 'g'), '*', '%')`,
);

function describeEvent(event: ToldEvent): Record<string, unknown> {
  const common = { id: event.id, kind: feedKindOf[event.kind], channel_id: event.channelId };
  if (event.kind !== "username_proof.merged") {
    return {
      ...common,
      guild_id: "guildId" in event.data ? event.data.guildId : null,
      room_id: "roomId" in event.data ? event.data.roomId : null,
    };
  }
  const { name, previousName, previousFid } = event.data;
  return {
    ...common,
    names: [name, previousName].filter((name) => name !== undefined),
    fids: [event.subjectFid, previousFid].filter((fid) => typeof fid === "number"),
  };
}
