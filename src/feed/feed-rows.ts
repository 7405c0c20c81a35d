import { sql } from "kysely";
import type { Tx } from "../database/database.ts";
import { findChangedDeeds, followDeeds } from "./deeds.ts";
import type { CaseKind } from "../database/tables/bot.ts";
import type { ChannelEvent } from "../observe/events.ts";
import { requestEdits, requestEditsOf } from "./request-edits.ts";
import { feedKindOf, type FeedKind, isAnnounced, rankOf, type AnnouncedEvent } from "./feed-kinds.ts";

/**
 * One row for each room that wants each event: a subscriber of the transaction that stores them. A room hears of the
 * channels that its server is linked to, and of what belongs to no channel as long as there is one. What is meant for one room
 * goes there alone, and only if it is a room of that server. What a server's bulk does is told once, with the bulk.
 */
export async function queueFeedRows(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  await tellWidened(tx, events);
  const announced = events.filter(isAnnounced);
  if (announced.length === 0) return;
  await sql`
    insert into castellan.feed_rows (room_id, event_id, rank)
    select distinct feeds.room_id, event.id, event.rank
    from jsonb_to_recordset(${JSON.stringify(announced.map(toRecord))}::text::jsonb) as event
      (id bigint, kinds text[], rank integer, channel_id text, case_id bigint, guild_id text, room_id text, fids bigint[], names text[])
    cross join lateral (
      select event.guild_id where event.guild_id is not null
      union all
      select guild_id from castellan.links where event.guild_id is null and links.channel_id = event.channel_id
      union all
      select distinct guild_id from castellan.links where event.guild_id is null and event.channel_id is null
    ) as hearing
    join castellan.feeds on feeds.guild_id = hearing.guild_id and ended_at_ms is null
      and case when event.room_id is null then event.kinds && feeds.kinds
        and (event.channel_id is null or feeds.channel_ids is null or event.channel_id = any(feeds.channel_ids))
        else feeds.room_id = event.room_id end
    where (event.names is null or feeds.name_pattern is null or exists (
        select from unnest(event.names) as name where name ilike ${likePattern}))
      and (event.names is null or not feeds.people_only or exists (
        select from castellan.listing_entries entries join castellan.links using (channel_id)
        where links.guild_id = feeds.guild_id and entries.listing = 'members' and entries.fid = any(event.fids)))
      and not exists (select from castellan.cases where cases.id = event.case_id and cases.bulk_id is not null
        and cases.guild_id = feeds.guild_id)
    on conflict do nothing
  `.execute(tx);
  await followDeeds(tx, announced);
  const { deeds, eventIds } = await findChangedDeeds(tx, announced);
  const observedAt = Math.max(...announced.map((event) => event.observedAt));
  await requestEdits(tx, { deeds, eventIds }, observedAt);
}

/** `*` stands for any characters, everything else for itself. */
const likePattern = sql.raw(
  String.raw`replace(regexp_replace(feeds.name_pattern, '([\\%_])', '\\\1', 'g'), '*', '%')`,
);

/** A bulk stands for what it does, which is not told one by one. */
function kindsOf(event: AnnouncedEvent): FeedKind[] {
  const own = feedKindOf[event.kind];
  if (event.kind !== "bulk.begun") return [own];
  const { kinds } = event.data;
  return [own, ...kinds.flatMap((kind) => toldAs[kind])];
}

/** Which rooms hear of what cases of a kind do. */
const toldAs: Record<CaseKind, readonly FeedKind[]> = {
  hide: ["records"],
  unhide: ["records"],
  ban: ["bans", "restrictions", "members"],
  unban: ["bans", "restrictions"],
  new_end: ["bans"],
  invite: ["invites"],
  revoke_invite: ["invites"],
  remove_member: ["members", "restrictions"],
  pin: ["pins"],
  unpin: ["pins"],
};

function toRecord(event: AnnouncedEvent): Record<string, unknown> {
  const common = {
    id: event.id,
    kinds: kindsOf(event),
    rank: rankOf(event.kind),
    channel_id: event.channelId,
    case_id: event.caseId,
  };
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

/** The same matter is held in one channel more: what is posted of it says so. */
async function tellWidened(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  const widened = events.flatMap((event) => (event.kind === "review.widened" ? [event] : []));
  const [first] = widened;
  if (!first) return;
  const held = widened.map(({ data }) => `held ${data.itemId}`);
  await requestEditsOf(tx, held, first.observedAt);
}
