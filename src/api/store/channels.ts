import { sql, type Selectable } from "kysely";
import type { Channel } from "../../contract/channels.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { ChannelTable } from "../../database/tables/network.ts";
import { AppError } from "../../errors.ts";

/** A channel's row, locked until the transaction ends. */
export type LockedChannel = Selectable<ChannelTable>;

/** Locks the channel: all decisions about its roles, invites, bans, follows or records take this lock first. */
export async function lockChannel(tx: Tx, channelId: string): Promise<LockedChannel> {
  const query = tx.selectFrom("network.channels").selectAll().where("id", "=", channelId).forUpdate();
  return (await query.executeTakeFirst()) ?? missingChannel(channelId);
}

/** Throws if a channel is unknown. */
export async function requireChannel(db: Queryable, channelId: string): Promise<void> {
  const query = db.selectFrom("network.channels").select("id").where("id", "=", channelId);
  if (!(await query.executeTakeFirst())) missingChannel(channelId);
}

/**
 * A channel in the contract's format (without absent fields), built by the database, because all-channels sends the
 * thousands that a network has.
 */
export const channelJson = sql<Channel>`json_strip_nulls(json_build_object(
  'id', channels.id,
  'url', channels.url,
  'name', channels.name,
  'description', channels.description,
  'descriptionMentions', channels.description_mentions,
  'descriptionMentionsPositions', channels.description_mentions_positions,
  'imageUrl', channels.image_url,
  'headerImageUrl', channels.header_image_url,
  'leadFid', channels.lead_fid,
  'moderatorFids', (
    select coalesce(json_agg(fid order by id), '[]') from network.memberships
    where channel_id = channels.id and role = 'moderator'
  ),
  'createdAt', channels.created_at,
  'followerCount', channels.follower_count,
  'memberCount', channels.member_count,
  'pinnedCastHash', channels.pinned_cast_hash,
  'publicCasting', channels.public_casting,
  'externalLink', case when channels.external_link_url is not null then json_build_object(
    'title', coalesce(channels.external_link_title, ''),
    'url', channels.external_link_url
  ) end
))`;

/** All channels as JSON texts, joined by commas, the oldest first. */
export async function readAllChannelTexts(db: Queryable): Promise<string> {
  const { rows } = await sql<{ texts: string | null }>`
    select string_agg((${channelJson})::text, ',' order by created_at, id) as texts from network.channels as channels
  `.execute(db);
  return rows[0]?.texts ?? "";
}

/** Channels in one statement, to be filtered by the caller. */
export function selectChannels(db: Queryable) {
  return db.selectFrom("network.channels as channels").select(channelJson.as("channel"));
}

/** As JSON text. Throws if the channel is unknown. */
export async function readChannelText(db: Queryable, channelId: string): Promise<string> {
  const row = await db
    .selectFrom("network.channels as channels")
    .select(sql<string>`(${channelJson})::text`.as("channel"))
    .where("channels.id", "=", channelId)
    .executeTakeFirst();
  return row?.channel ?? missingChannel(channelId);
}

/** When a user started to follow a channel, in UNIX seconds; undefined if they do not. */
export async function readFollow(db: Queryable, channelId: string, fid: number): Promise<number | undefined> {
  // A raw statement, because composing it with the query builder took as long as running it.
  const { rows } = await sql<{ followed_at: number }>`
    select followed_at from network.channel_follows where channel_id = ${channelId} and fid = ${fid}
  `.execute(db);
  return rows[0]?.followed_at;
}

function missingChannel(channelId: string): never {
  throw new AppError("not_found", `There is no channel ${channelId}.`);
}
