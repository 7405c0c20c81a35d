// @ts-nocheck
import { sql } from "kysely";
import { staged, type Insertion } from "./insertion.ts";

/**
 * In the order that references need. Channels and casts are staged only where they are missing: an unexpected conflict
 * must fail, for what follows from them was computed as if they were new.
 */
export const networkInsertions: Insertion[] = [
  {
    kind: "accounts",
    insert: (id) => sql`
      insert into network.accounts (fid, custody_address, credit_balance)
      select fid, "custodyAddress", "creditBalance"
      from ${staged(id, "accounts", `fid bigint, "custodyAddress" text, "creditBalance" integer`)} as record
      on conflict do nothing`,
  },
  {
    kind: "appKeys",
    insert: (id) => sql`
      insert into network.app_keys (fid, key)
      select fid, key from ${staged(id, "appKeys", "fid bigint, key text")} as record
      on conflict do nothing`,
  },
  {
    kind: "botAllowlist",
    insert: (id) => sql`
      insert into network.bot_allowlist (fid)
      select fid from ${staged(id, "botAllowlist", "fid bigint")} as record
      on conflict do nothing`,
  },
  {
    kind: "channels",
    insert: (id, now) => sql`
      insert into network.channels (
        id, url, name, description, description_mentions, description_mentions_positions, image_url,
        header_image_url, lead_fid, created_at, public_casting, external_link_title, external_link_url,
        pinned_cast_hash)
      select id, url, name, description, "descriptionMentions", "descriptionMentionsPositions", "imageUrl",
        "headerImageUrl", "leadFid", coalesce("createdAt", ${now}), "publicCasting",
        "externalLink" ->> 'title', "externalLink" ->> 'url', "pinnedCastHash"
      from ${staged(
        id,
        "channels",
        `id text, url text, name text, description text, "descriptionMentions" jsonb,
         "descriptionMentionsPositions" jsonb, "imageUrl" text, "headerImageUrl" text, "leadFid" bigint,
         "createdAt" bigint, "publicCasting" boolean, "externalLink" jsonb, "pinnedCastHash" text`,
      )} as record`,
  },
  {
    kind: "memberships",
    insert: (id, now) => sql`
      insert into network.memberships (channel_id, fid, role, was_member, member_at)
      select "channelId", fid, role, "wasMember", coalesce("createdAt", ${now})
      from ${staged(
        id,
        "memberships",
        `"channelId" text, fid bigint, role text, "wasMember" boolean, "createdAt" bigint`,
      )} as record`,
  },
  {
    kind: "channelFollows",
    insert: (id, now) => sql`
      insert into network.channel_follows (channel_id, fid, followed_at)
      select "channelId", fid, coalesce("followedAt", ${now})
      from ${staged(id, "channelFollows", `"channelId" text, fid bigint, "followedAt" bigint`)} as record`,
  },
  {
    kind: "userFollows",
    insert: (id) => sql`
      insert into network.user_follows (fid, target_fid)
      select fid, "targetFid" from ${staged(id, "userFollows", `fid bigint, "targetFid" bigint`)} as record
      on conflict do nothing`,
  },
  {
    kind: "casts",
    // The marks are those of domain/cast-marks.ts, for all casts at once.
    insert: (id) => sql`
      insert into network.casts (
        hash, fid, text, timestamp, channel_id, parent_url, parent_hash, mentions, embeds, hidden_by_ban,
        hidden_on_entry)
      select record.hash, record.fid, text, timestamp, "channelId", "parentUrl", "parentHash", mentions, embeds,
        "parentHash" is not null and bans.fid is not null,
        "parentHash" is null and not coalesce(channels.public_casting, true) and memberships.fid is null
          or exists (
            select from network.blocks
            where blocked_fid = record.fid and (
              addressed -> 'fids' @> to_jsonb(blocker_fid)
              or exists (
                select from network.casts where casts.fid = blocker_fid and addressed -> 'quoted' ? casts.hash
              )
            )
          )
      from ${staged(
        id,
        "casts",
        `hash text, fid bigint, text text, timestamp bigint, "channelId" text, "parentUrl" text,
         "parentHash" text, mentions jsonb, embeds jsonb, addressed jsonb`,
      )} as record
      left join network.channels on channels.id = "channelId"
      left join network.bans on bans.channel_id = "channelId" and bans.fid = record.fid
      left join network.memberships on memberships.channel_id = "channelId" and memberships.fid = record.fid`,
  },
  {
    kind: "verifications",
    insert: (id) => sql`
      insert into network.verifications (fid, platform, platform_id, platform_username, verified_at)
      select fid, platform, "platformId", "platformUsername", "verifiedAt"
      from ${staged(
        id,
        "verifications",
        `fid bigint, platform text, "platformId" text, "platformUsername" text, "verifiedAt" bigint`,
      )} as record
      on conflict do nothing`,
  },
];
