/**
 * What a network file carries beyond the channels, kept for the endpoints that read it; and where an import stages its
 * records. The staging table is unlogged: what a crash leaves of it is of no use to anybody.
 */
// @ts-nocheck

export const up = `
create table network.actions (
  id bigint generated always as identity primary key,
  name text not null,
  icon text not null,
  description text not null,
  about_url text not null,
  action_url text not null unique,
  action_type text not null,
  post_url text not null,
  total_users bigint not null
);
create table network.composer_actions (
  id bigint generated always as identity primary key,
  name text not null,
  icon text not null,
  description text not null,
  about_url text not null,
  image_url text not null,
  action_url text not null unique,
  action_type text not null,
  post_url text not null,
  total_users bigint not null,
  featured_rank integer
);

create table network.creator_reward_periods (
  period_start_ms bigint primary key,
  period_end_ms bigint not null
);
create table network.creator_reward_winners (
  period_start_ms bigint not null references network.creator_reward_periods on delete cascade,
  fid bigint not null,
  username text,
  score double precision not null,
  rank integer not null,
  reward_cents bigint not null,
  wallet_address text,
  primary key (period_start_ms, rank, fid)
);
create table network.developer_reward_periods (
  period_start_ms bigint primary key,
  period_end_ms bigint not null
);
create table network.developer_reward_winners (
  id bigint generated always as identity primary key,
  period_start_ms bigint not null references network.developer_reward_periods on delete cascade,
  fid bigint not null,
  domain text not null,
  frame_name text not null,
  score double precision not null,
  rank integer not null,
  reward_cents bigint not null,
  wallet_address text
);
create index developer_reward_winners_by_rank
  on network.developer_reward_winners (period_start_ms, rank, fid);

create table network.primary_addresses (
  fid bigint not null,
  protocol text not null check (protocol in ('ethereum', 'solana')),
  address text not null,
  primary key (fid, protocol)
);

create table network.starter_packs (id text primary key);
create table network.starter_pack_members (
  id bigint generated always as identity primary key,
  pack_id text not null references network.starter_packs on delete cascade,
  fid bigint not null,
  member_at_ms bigint not null,
  unique (pack_id, fid)
);
create index starter_pack_members_newest on network.starter_pack_members (pack_id, member_at_ms desc, id desc);

-- A channel that comes back finds its casts by this.
create index casts_without_channel on network.casts (parent_url)
  where channel_id is null and parent_url is not null;

create table network.imports (
  id bigint generated always as identity primary key,
  started_at bigint not null
);
create unlogged table network.import_records (
  import_id bigint not null,
  kind text not null,
  position integer not null,
  record jsonb not null,
  primary key (import_id, kind, position)
);
`;
