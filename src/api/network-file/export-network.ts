import { sql } from "kysely";
import type { Queryable } from "../../database/database.ts";

/** Fields that the file omits if they are null. */
const action = sql.raw(`'name', name, 'icon', icon, 'description', description, 'aboutUrl', about_url,
  'actionUrl', action_url, 'action', json_build_object('actionType', action_type, 'postUrl', post_url),
  'totalUsers', total_users`);
const winner = sql.raw(`'fid', fid, 'score', score, 'rank', rank, 'rewardCents', reward_cents,
  'walletAddress', wallet_address`);
const period = sql.raw(`'periodStartTimestamp', period_start_ms, 'periodEndTimestamp', period_end_ms`);

/**
 * Everything in this network that a network file can hold, as JSON text in the order of the file's kinds. One
 * statement, for a consistent snapshot. A reply to a removed cast becomes a root cast of its channel, because the file
 * allows no missing parents. Bans, restrictions, records, transfers and revoked keys are not part of a network file.
 */
export async function exportNetwork(db: Queryable): Promise<string> {
  const { rows } = await sql<{ file: string }>`
    select json_strip_nulls(json_build_object(
      'accounts', (
        select json_agg(json_build_object(
          'fid', accounts.fid, 'custodyAddress', custody_address, 'username', names.name,
          'appKeys', (
            select coalesce(json_agg(key order by key), '[]') from network.app_keys
            where app_keys.fid = accounts.fid and revoked_at is null
          ),
          'creditBalance', credit_balance
        ) order by accounts.fid)
        from network.accounts left join network.names on names.fid = accounts.fid
      ),
      'channels', (
        select json_agg(json_build_object(
          'id', id, 'name', name, 'url', url, 'description', description,
          'descriptionMentions', description_mentions,
          'descriptionMentionsPositions', description_mentions_positions,
          'imageUrl', image_url, 'headerImageUrl', header_image_url, 'leadFid', lead_fid,
          'moderatorFids', (
            select coalesce(json_agg(fid order by member_at, id), '[]') from network.memberships
            where channel_id = channels.id and role = 'moderator'
          ),
          'memberFids', (
            select coalesce(json_agg(fid order by member_at, id), '[]') from network.memberships
            where channel_id = channels.id and (role = 'member' or role = 'moderator' and was_member)
          ),
          'publicCasting', public_casting, 'createdAt', created_at,
          'externalLink', case when external_link_url is not null then
            json_build_object('title', external_link_title, 'url', external_link_url) end,
          'pinnedCastHash', pinned_cast_hash
        ) order by created_at, id)
        from network.channels
      ),
      'channelFollows', (
        select json_agg(json_build_object('fid', fid, 'channelId', channel_id, 'followedAt', followed_at) order by id)
        from network.channel_follows
      ),
      'userFollows', (
        select json_agg(json_build_object('fid', fid, 'targetFid', target_fid) order by fid, target_fid)
        from network.user_follows
      ),
      'casts', (
        select json_agg(json_build_object(
          'hash', casts.hash, 'fid', casts.fid, 'text', casts.text,
          'channelId', case when parents.hash is null then casts.channel_id end,
          'parentHash', parents.hash, 'mentions', casts.mentions, 'embeds', casts.embeds,
          'timestamp', casts.timestamp
        ) order by casts.timestamp, casts.hash)
        from network.casts
        left join network.casts as parents on parents.hash = casts.parent_hash and parents.removed_at is null
        where casts.removed_at is null
      ),
      'botAllowlist', (select json_agg(fid order by fid) from network.bot_allowlist),
      'actions', (select json_agg(json_build_object(${action}) order by id) from network.actions),
      'composerActions', (
        select json_agg(json_build_object(
          ${action}, 'imageUrl', image_url, 'featuredRank', featured_rank
        ) order by id)
        from network.composer_actions
      ),
      'verifications', (
        select json_agg(json_build_object(
          'fid', fid, 'platform', platform, 'platformId', platform_id,
          'platformUsername', platform_username, 'verifiedAt', verified_at
        ) order by id)
        from network.verifications
      ),
      'creatorRewards', (
        select json_agg(json_build_object(${period}, 'winners', (
          select coalesce(json_agg(json_build_object(${winner}, 'username', username) order by rank, fid), '[]')
          from network.creator_reward_winners as winners
          where winners.period_start_ms = periods.period_start_ms
        )) order by period_start_ms)
        from network.creator_reward_periods as periods
      ),
      'developerRewards', (
        select json_agg(json_build_object(${period}, 'winners', (
          select coalesce(
            json_agg(json_build_object(${winner}, 'domain', domain, 'frameName', frame_name) order by rank, fid, id),
            '[]')
          from network.developer_reward_winners as winners
          where winners.period_start_ms = periods.period_start_ms
        )) order by period_start_ms)
        from network.developer_reward_periods as periods
      ),
      'primaryAddresses', (
        select json_agg(json_build_object('fid', fid, 'protocol', protocol, 'address', address)
          order by fid, protocol)
        from network.primary_addresses
      ),
      'starterPacks', (
        select json_agg(json_build_object('id', id, 'members', (
          select coalesce(json_agg(json_build_object('fid', fid, 'memberAt', member_at_ms) order by members.id), '[]')
          from network.starter_pack_members as members where pack_id = packs.id
        )) order by id)
        from network.starter_packs as packs
      )
    ))::text as file
  `.execute(db);
  return rows[0]?.file ?? "{}";
}
