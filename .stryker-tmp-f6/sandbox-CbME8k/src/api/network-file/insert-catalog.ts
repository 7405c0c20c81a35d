// @ts-nocheck
import { sql, type RawBuilder } from "kysely";
import { staged, type Insertion } from "./insertion.ts";

const actionColumns = `name text, icon text, description text, "aboutUrl" text, "imageUrl" text,
  "actionUrl" text, action jsonb, "totalUsers" bigint, "featuredRank" integer`;
const periodColumns = `"periodStartTimestamp" bigint, "periodEndTimestamp" bigint, winners jsonb`;
const winnerColumns = `fid bigint, username text, domain text, "frameName" text, score double precision,
  rank integer, "rewardCents" bigint, "walletAddress" text`;

/** What later endpoints read. A period's winners and a pack's members count only when the import creates it. */
export const catalogInsertions: Insertion[] = [
  {
    kind: "actions",
    insert: (id) => sql`
      insert into network.actions
        (name, icon, description, about_url, action_url, action_type, post_url, total_users)
      select name, icon, description, "aboutUrl", "actionUrl", action ->> 'actionType', action ->> 'postUrl',
        "totalUsers"
      from ${staged(id, "actions", actionColumns)} as record
      on conflict do nothing`,
  },
  {
    kind: "composerActions",
    insert: (id) => sql`
      insert into network.composer_actions
        (name, icon, description, about_url, image_url, action_url, action_type, post_url, total_users,
         featured_rank)
      select name, icon, description, "aboutUrl", "imageUrl", "actionUrl", action ->> 'actionType',
        action ->> 'postUrl', "totalUsers", "featuredRank"
      from ${staged(id, "composerActions", actionColumns)} as record
      on conflict do nothing`,
  },
  {
    kind: "primaryAddresses",
    insert: (id) => sql`
      insert into network.primary_addresses (fid, protocol, address)
      select fid, protocol, address
      from ${staged(id, "primaryAddresses", "fid bigint, protocol text, address text")} as record
      on conflict do nothing`,
  },
  {
    kind: "starterPacks",
    insert: (id) => sql`
      insert into network.starter_packs (id)
      select id from ${staged(id, "starterPacks", "id text")} as record
      on conflict do nothing`,
    children: (id) => sql`
      insert into network.starter_pack_members (pack_id, fid, member_at_ms)
      select id, member.fid, member."memberAt"
      from inserted join ${staged(id, "starterPacks", "id text, members jsonb")} as record using (id),
        jsonb_to_recordset(record.members) as member(fid bigint, "memberAt" bigint)
      on conflict do nothing`,
  },
  {
    kind: "creatorRewards",
    insert: (id) => insertPeriods("network.creator_reward_periods", id, "creatorRewards"),
    children: (id) => sql`
      insert into network.creator_reward_winners
        (period_start_ms, fid, username, score, rank, reward_cents, wallet_address)
      select period_start_ms, fid, username, score, rank, "rewardCents", "walletAddress"
      from ${winnersOf(id, "creatorRewards")}
      on conflict do nothing`,
  },
  {
    kind: "developerRewards",
    insert: (id) => insertPeriods("network.developer_reward_periods", id, "developerRewards"),
    children: (id) => sql`
      insert into network.developer_reward_winners
        (period_start_ms, fid, domain, frame_name, score, rank, reward_cents, wallet_address)
      select period_start_ms, fid, domain, "frameName", score, rank, "rewardCents", "walletAddress"
      from ${winnersOf(id, "developerRewards")}`,
  },
];

type RewardKind = "creatorRewards" | "developerRewards";

function insertPeriods(table: string, importId: number, kind: RewardKind): RawBuilder<unknown> {
  return sql`
    insert into ${sql.table(table)} (period_start_ms, period_end_ms)
    select "periodStartTimestamp", "periodEndTimestamp" from ${staged(importId, kind, periodColumns)} as record
    on conflict do nothing`;
}

function winnersOf(importId: number, kind: RewardKind): RawBuilder<unknown> {
  return sql`
    inserted join ${staged(importId, kind, periodColumns)} as record
      on record."periodStartTimestamp" = inserted.period_start_ms,
    jsonb_to_recordset(record.winners) as winner(${sql.raw(winnerColumns)})`;
}
