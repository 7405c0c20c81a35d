import { sql, type Selectable } from "kysely";
import type { Channel } from "../../contract/channels.ts";
import { compileOnce, pointRead, type Placeholders } from "../../database/compile-once.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { ChannelTable } from "../../database/tables/network.ts";
import { AppError } from "../../errors.ts";

/** A channel's row, held until the transaction ends. */
export type LockedChannel = Selectable<ChannelTable>;

/** Holds the channel: whatever decides about its roles, invites, bans, follows or records takes this lock first. */
export async function lockChannel(tx: Tx, channelId: string): Promise<LockedChannel> {
  const [channel] = await findChannelForUpdate(tx, { channelId });
  return channel ?? missingChannel(channelId);
}

const findChannelForUpdate = compileOnce((db, { channelId }: Placeholders<{ channelId: string }>) =>
  db.selectFrom("network.channels").selectAll().where("id", "=", channelId).forUpdate(),
);

/** Refuses an unknown channel. */
export async function requireChannel(db: Queryable, channelId: string): Promise<void> {
  const [found] = await findChannelId(db, { channelId });
  if (!found) missingChannel(channelId);
}

const findChannelId = pointRead((db, { channelId }: Placeholders<{ channelId: string }>) =>
  db.selectFrom("network.channels").select("id").where("id", "=", channelId),
);

/**
 * A channel as the contract has it (what it does not have is absent), made by the
 * database: a network has thousands of them, and all-channels sends them all.
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

/** Channels in one statement, to be filtered by the caller. */
export function selectChannels(db: Queryable) {
  return db.selectFrom("network.channels as channels").select(channelJson.as("channel"));
}

/** As JSON text. Refuses an unknown channel. */
export async function readChannelText(db: Queryable, channelId: string): Promise<string> {
  const [row] = await findChannel(db, { channelId });
  return row?.channel ?? missingChannel(channelId);
}

const findChannel = pointRead((db, { channelId }: Placeholders<{ channelId: string }>) =>
  db
    .selectFrom("network.channels as channels")
    .select(sql<string>`(${channelJson})::text`.as("channel"))
    .where("channels.id", "=", channelId),
);

/** Since when a user follows a channel, in UNIX seconds. */
export const readFollow = pointRead(
  (db, { channelId, fid }: Placeholders<{ channelId: string; fid: number }>) =>
    db
      .selectFrom("network.channel_follows")
      .select("followed_at")
      .where("channel_id", "=", channelId)
      .where("fid", "=", fid),
);

function missingChannel(channelId: string): never {
  throw new AppError("not_found", `There is no channel ${channelId}.`);
}
