/** The embedded network. */
export const network = String.raw`
create table network.stream_heads (
  stream text primary key,
  last_id bigint not null
);

create table network.accounts (
  fid bigint primary key,
  custody_address text not null,
  credit_balance integer not null default 0
);
create index accounts_by_custody on network.accounts (lower(custody_address));

create table network.deleted_channels (
  id text not null,
  deleted_in xid8 not null default pg_current_xact_id()
);
create index deleted_channels_by_change on network.deleted_channels (deleted_in);

create table network.app_keys (
  fid bigint not null,
  key text not null,
  revoked_at bigint,
  valid_from bigint not null default 0,
  primary key (fid, key)
);

create table network.signed_key_requests (
  token text primary key,
  key text not null,
  request_fid bigint not null,
  deadline bigint not null,
  redirect_url text,
  sponsor_fid bigint,
  created_at bigint not null,
  answer text check (answer in ('approve', 'refuse')),
  user_fid bigint,
  answered_at bigint,
  completed_at bigint,
  check ((answer is null) = (user_fid is null))
);
create index signed_key_requests_open on network.signed_key_requests (request_fid, key) where answer is null;

create table network.bot_allowlist (
  fid bigint primary key
);

create table network.channels (
  id text primary key,
  url text not null unique,
  name text not null,
  description text,
  description_mentions jsonb not null default '[]',
  description_mentions_positions jsonb not null default '[]',
  image_url text not null default '',
  header_image_url text,
  lead_fid bigint,
  created_at bigint not null,
  follower_count integer not null default 0,
  member_count integer not null default 0,
  pinned_cast_hash text,
  public_casting boolean not null default true,
  external_link_title text,
  external_link_url text,
  changed_in xid8 not null default pg_current_xact_id()
);
create index channels_by_change on network.channels (changed_in);
create index channels_by_creation on network.channels (created_at, id);

create table network.memberships (
  role text not null check (role in ('owner', 'moderator', 'member')),
  was_member boolean not null default false,
  member_at bigint not null,
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels(id) on delete cascade,
  fid bigint not null,
  unique (channel_id, fid)
);
create index memberships_by_fid on network.memberships (fid);
create index memberships_newest on network.memberships (channel_id, member_at desc, id desc);
create index memberships_of_moderators on network.memberships (channel_id, id) where role = 'moderator';

create table network.invites (
  role text not null check (role in ('moderator', 'member')),
  inviter_fid bigint not null,
  invited_at bigint not null,
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels(id) on delete cascade,
  fid bigint not null,
  unique (channel_id, fid)
);
create index invites_newest on network.invites (invited_at desc, id desc);
create index invites_newest_of_channel on network.invites (channel_id, invited_at desc, id desc);
create index invites_newest_of_fid on network.invites (fid, invited_at desc, id desc);
create index invites_of_moderators on network.invites (channel_id) where role = 'moderator';

create table network.invite_answers (
  channel_id text not null references network.channels(id) on delete cascade,
  fid bigint not null,
  role text not null,
  accepted boolean not null,
  answered_at bigint not null,
  primary key (channel_id, fid, role)
);

create table network.invite_calls (
  id bigint generated always as identity primary key,
  channel_id text not null,
  caller_fid bigint not null,
  at_ms bigint not null
);
create index invite_calls_latest on network.invite_calls (caller_fid, channel_id, at_ms);
create index invite_calls_oldest on network.invite_calls (at_ms);

create table network.restrictions (
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels(id) on delete cascade,
  fid bigint not null,
  restricted_at bigint not null,
  unique (channel_id, fid)
);
create index restrictions_newest on network.restrictions (restricted_at desc, id desc);
create index restrictions_newest_of_channel on network.restrictions (channel_id, restricted_at desc, id desc);
create index restrictions_newest_of_fid on network.restrictions (fid, restricted_at desc, id desc);

create table network.bans (
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels(id) on delete cascade,
  fid bigint not null,
  banned_at bigint not null,
  unique (channel_id, fid)
);
create index bans_newest on network.bans (banned_at desc, id desc);
create index bans_newest_of_channel on network.bans (channel_id, banned_at desc, id desc);
create index bans_newest_of_fid on network.bans (fid, banned_at desc, id desc);

create table network.channel_follows (
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels(id) on delete cascade,
  fid bigint not null,
  followed_at bigint not null,
  unique (channel_id, fid)
);
create index channel_follows_newest on network.channel_follows (channel_id, followed_at desc, id desc);
create index channel_follows_of_fid on network.channel_follows (fid, followed_at desc, id desc);

create table network.user_follows (
  fid bigint not null,
  target_fid bigint not null,
  primary key (fid, target_fid)
);

create table network.casts (
  hash text primary key,
  fid bigint not null,
  text text not null,
  timestamp bigint not null,
  channel_id text references network.channels(id) on delete set null,
  parent_url text,
  parent_hash text,
  mentions jsonb not null default '[]',
  embeds jsonb not null default '[]',
  hidden_by_moderation boolean not null default false,
  hidden_by_ban boolean not null default false,
  hidden_on_entry boolean not null default false,
  removed_at bigint,
  signer text,
  signature text
);
create index casts_by_author on network.casts (fid, "timestamp", hash) where removed_at is null;
create index casts_by_parent on network.casts (parent_hash) where parent_hash is not null;
create index casts_by_url on network.casts (parent_url, "timestamp", hash)
  where (parent_url is not null) and (removed_at is null);
create index casts_of_author on network.casts (channel_id, fid);
create index casts_without_channel on network.casts (parent_url) where (channel_id is null) and (parent_url is not null);

create table network.cast_removals (
  hash text primary key,
  fid bigint not null,
  timestamp bigint not null,
  target_hash text not null,
  signer text,
  signature text
);
create index cast_removals_by_author on network.cast_removals (fid, "timestamp", hash);

create table network.moderation_records (
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels(id) on delete cascade,
  cast_hash text not null,
  action text not null check (action in ('hide', 'unhide')),
  moderated_at bigint not null
);
create index moderation_records_newest on network.moderation_records (moderated_at desc, id desc);
create index moderation_records_newest_of_channel on network.moderation_records (channel_id, moderated_at desc, id desc);

create table network.announcements (
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels(id) on delete cascade,
  cast_hash text not null,
  recipients integer not null,
  announced_at bigint not null
);
create index announcements_of_channel on network.announcements (channel_id);

create table network.verifications (
  id bigint generated always as identity primary key,
  fid bigint not null,
  platform text not null,
  platform_id text not null,
  platform_username text not null,
  verified_at bigint not null,
  unique (fid, platform, platform_id)
);
create index verifications_newest on network.verifications (platform, verified_at desc, id desc);
create index verifications_newest_of_fid on network.verifications (fid, platform, verified_at desc, id desc);

create table network.transfers (
  id bigint primary key,
  timestamp bigint not null,
  username text not null,
  owner text not null,
  from_fid bigint not null,
  to_fid bigint not null,
  user_signature text not null,
  server_signature text not null,
  unique (owner, username, "timestamp")
);
create index transfers_by_name on network.transfers (username, id);
create index transfers_by_source on network.transfers (from_fid, id);
create index transfers_by_target on network.transfers (to_fid, id);
create index transfers_by_time on network.transfers ("timestamp", id);

create table network.names (
  name text primary key,
  fid bigint not null unique,
  transfer_id bigint not null references network.transfers(id)
);
create index names_of_transfer on network.names (transfer_id);

create table network.hub_events (
  shard smallint not null default 1,
  id bigint not null,
  type text not null,
  merged_at bigint not null,
  json text not null,
  primary key (shard, id)
);
create index hub_events_by_time on network.hub_events (merged_at);

create table network.blocks (
  id bigint primary key,
  blocker_fid bigint not null,
  blocked_fid bigint not null,
  created_at bigint not null,
  unique (blocker_fid, blocked_fid)
);
create index blocks_newest on network.blocks (created_at desc, id desc);
create index blocks_newest_of_blocker on network.blocks (blocker_fid, created_at desc, id desc);
create index blocks_of_blocked on network.blocks (blocked_fid);

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
create index actions_top on network.actions (total_users desc, id desc);

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
create index composer_actions_top on network.composer_actions (total_users desc, id desc);

create table network.creator_reward_periods (
  period_start_ms bigint primary key,
  period_end_ms bigint not null
);

create table network.creator_reward_winners (
  period_start_ms bigint not null references network.creator_reward_periods(period_start_ms) on delete cascade,
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
  period_start_ms bigint not null references network.developer_reward_periods(period_start_ms) on delete cascade,
  fid bigint not null,
  domain text not null,
  frame_name text not null,
  score double precision not null,
  rank integer not null,
  reward_cents bigint not null,
  wallet_address text
);
create index developer_reward_winners_by_rank on network.developer_reward_winners (period_start_ms, rank, fid);

create table network.primary_addresses (
  fid bigint not null,
  protocol text not null check (protocol in ('ethereum', 'solana')),
  address text not null,
  primary key (fid, protocol)
);

create table network.starter_packs (
  id text primary key
);

create table network.starter_pack_members (
  id bigint generated always as identity primary key,
  pack_id text not null references network.starter_packs(id) on delete cascade,
  fid bigint not null,
  member_at_ms bigint not null,
  unique (pack_id, fid)
);
create index starter_pack_members_newest on network.starter_pack_members (pack_id, member_at_ms desc, id desc);

create table network.imported_files (
  hash text primary key,
  imported_at bigint not null
);

create table network.imports (
  id bigint generated always as identity primary key,
  started_at bigint not null
);

create table network.import_records (
  import_id bigint not null,
  kind text not null,
  position integer not null,
  record jsonb not null,
  primary key (import_id, kind, "position")
);

-- Which channels changed since a reader last looked: changed_in is the transaction that changed a channel's answer last. A
-- reader that keeps the horizon of its snapshot (the oldest transaction still open then) finds by it whatever has become
-- visible since. Of deleted channels the id stays for that.
create function network.mark_channel() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end $$;
create trigger mark_channel before update on network.channels
  for each row execute function network.mark_channel();

create function network.keep_deleted_channel() returns trigger language plpgsql as $$
begin
  insert into network.deleted_channels (id) values (old.id);
  return old;
end $$;
create trigger keep_deleted_channel after delete on network.channels
  for each row execute function network.keep_deleted_channel();

create function network.mark_channel_of_moderator() returns trigger language plpgsql as $$
begin
  update network.channels set changed_in = pg_current_xact_id()
  where id = coalesce(new.channel_id, old.channel_id) and changed_in <> pg_current_xact_id();
  return null;
end $$;
create trigger mark_channel_of_new_moderator after insert on network.memberships
  for each row when (new.role = 'moderator') execute function network.mark_channel_of_moderator();
create trigger mark_channel_of_moderator after update on network.memberships
  for each row when (new.role = 'moderator' or old.role = 'moderator')
  execute function network.mark_channel_of_moderator();
create trigger mark_channel_of_old_moderator after delete on network.memberships
  for each row when (old.role = 'moderator') execute function network.mark_channel_of_moderator();

insert into network.stream_heads (stream, last_id)
values ('transfers', 0), ('hub_events', 0), ('blocks', 0), ('hub_events_2', 0);
`;
