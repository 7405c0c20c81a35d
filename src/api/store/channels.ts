import { sql, type Selectable } from "kysely";
import type { Channel } from "../../contract/channels.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { ChannelTable } from "../../database/tables/network.ts";
import { AppError } from "../../errors.ts";

export type ChannelRow = Selectable<ChannelTable> & { moderator_fids: number[] };

/** A channel's row, held until the transaction ends. */
export type LockedChannel = Selectable<ChannelTable>;

/** Holds the channel: whatever decides about its roles, invites, bans, follows or records takes this lock first. */
export async function lockChannel(tx: Tx, channelId: string): Promise<LockedChannel> {
  const channel = await tx
    .selectFrom("network.channels")
    .selectAll()
    .where("id", "=", channelId)
    .forUpdate()
    .executeTakeFirst();
  return channel ?? missingChannel(channelId);
}

/** Refuses an unknown channel. */
export async function requireChannel(db: Queryable, channelId: string): Promise<void> {
  const found = await db
    .selectFrom("network.channels")
    .select("id")
    .where("id", "=", channelId)
    .executeTakeFirst();
  if (!found) missingChannel(channelId);
}

/** Channels with their moderators in one statement, to be filtered and ordered by the caller. */
export function selectChannels(db: Queryable) {
  return db
    .selectFrom("network.channels as channels")
    .selectAll("channels")
    .select(
      sql<number[]>`(
        select coalesce(json_agg(fid order by id), '[]') from network.memberships
        where channel_id = channels.id and role = 'moderator'
      )`.as("moderator_fids"),
    );
}

export async function readChannel(db: Queryable, channelId: string): Promise<Channel> {
  const row = await selectChannels(db).where("channels.id", "=", channelId).executeTakeFirst();
  return row ? toChannel(row) : missingChannel(channelId);
}

export async function listChannels(db: Queryable): Promise<Channel[]> {
  const rows = await selectChannels(db).orderBy("channels.created_at").orderBy("channels.id").execute();
  return rows.map(toChannel);
}

/** decisions.md, "channel fields": what a channel does not have is absent. */
export function toChannel(row: ChannelRow): Channel {
  return {
    id: row.id,
    url: row.url,
    name: row.name,
    ...(row.description !== null && { description: row.description }),
    descriptionMentions: row.description_mentions,
    descriptionMentionsPositions: row.description_mentions_positions,
    imageUrl: row.image_url,
    ...(row.header_image_url !== null && { headerImageUrl: row.header_image_url }),
    ...(row.lead_fid !== null && { leadFid: row.lead_fid }),
    moderatorFids: row.moderator_fids,
    createdAt: row.created_at,
    followerCount: row.follower_count,
    memberCount: row.member_count,
    ...(row.pinned_cast_hash !== null && { pinnedCastHash: row.pinned_cast_hash }),
    publicCasting: row.public_casting,
    ...(row.external_link_url !== null && {
      externalLink: { title: row.external_link_title ?? "", url: row.external_link_url },
    }),
  };
}

function missingChannel(channelId: string): never {
  throw new AppError("not_found", `There is no channel ${channelId}.`);
}
