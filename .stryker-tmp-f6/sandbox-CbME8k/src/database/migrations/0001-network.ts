/**
 * The embedded network. Times are UNIX seconds unless the name ends in _ms. Every listing is ordered by its time
 * and then by the record's own id, so each has an index on both.
 */
// @ts-nocheck

export const up = `
create table network.stream_heads (stream text primary key, last_id bigint not null);
insert into network.stream_heads values ('transfers', 0), ('hub_events', 0);

create table network.accounts (
  fid bigint primary key,
  custody_address text not null,
  credit_balance integer not null default 0
);
create table network.app_keys (
  fid bigint not null,
  key text not null,
  revoked_at bigint,
  primary key (fid, key)
);
create table network.bot_allowlist (fid bigint primary key);

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
  external_link_url text
);
create index channels_by_creation on network.channels (created_at, id);

create table network.memberships (
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels on delete cascade,
  fid bigint not null,
  role text not null check (role in ('owner', 'moderator', 'member')),
  was_member boolean not null default false,
  member_at bigint not null,
  unique (channel_id, fid)
);
create index memberships_newest on network.memberships (channel_id, member_at desc, id desc);
create index memberships_by_fid on network.memberships (fid);
create index memberships_of_moderators on network.memberships (channel_id, id) where role = 'moderator';

create table network.invites (
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels on delete cascade,
  fid bigint not null,
  role text not null check (role in ('moderator', 'member')),
  inviter_fid bigint not null,
  invited_at bigint not null,
  unique (channel_id, fid)
);
create index invites_newest on network.invites (invited_at desc, id desc);
create index invites_newest_of_channel on network.invites (channel_id, invited_at desc, id desc);
create index invites_newest_of_fid on network.invites (fid, invited_at desc, id desc);
create index invites_of_moderators on network.invites (channel_id) where role = 'moderator';

create table network.invite_answers (
  channel_id text not null references network.channels on delete cascade,
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
  channel_id text not null references network.channels on delete cascade,
  fid bigint not null,
  restricted_at bigint not null,
  unique (channel_id, fid)
);
create index restrictions_newest on network.restrictions (restricted_at desc, id desc);
create index restrictions_newest_of_channel on network.restrictions (channel_id, restricted_at desc, id desc);
create index restrictions_newest_of_fid on network.restrictions (fid, restricted_at desc, id desc);

create table network.bans (
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels on delete cascade,
  fid bigint not null,
  banned_at bigint not null,
  unique (channel_id, fid)
);
create index bans_newest on network.bans (banned_at desc, id desc);
create index bans_newest_of_channel on network.bans (channel_id, banned_at desc, id desc);
create index bans_newest_of_fid on network.bans (fid, banned_at desc, id desc);

create table network.channel_follows (
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels on delete cascade,
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
  channel_id text references network.channels on delete set null,
  parent_url text,
  parent_hash text,
  mentions jsonb not null default '[]',
  embeds jsonb not null default '[]',
  hidden_by_moderation boolean not null default false,
  hidden_by_ban boolean not null default false,
  hidden_on_entry boolean not null default false,
  removed_at bigint
);
create index casts_of_author on network.casts (channel_id, fid);
create index casts_by_parent on network.casts (parent_hash) where parent_hash is not null;

create table network.moderation_records (
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels on delete cascade,
  cast_hash text not null,
  action text not null check (action in ('hide', 'unhide')),
  moderated_at bigint not null
);
create index moderation_records_newest on network.moderation_records (moderated_at desc, id desc);
create index moderation_records_newest_of_channel
  on network.moderation_records (channel_id, moderated_at desc, id desc);

create table network.announcements (
  id bigint generated always as identity primary key,
  channel_id text not null references network.channels on delete cascade,
  cast_hash text not null,
  recipients integer not null,
  announced_at bigint not null
);

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
  unique (owner, username, timestamp)
);
create index transfers_by_name on network.transfers (username, id);
create index transfers_by_source on network.transfers (from_fid, id);
create index transfers_by_target on network.transfers (to_fid, id);
create index transfers_by_time on network.transfers (timestamp, id);
create table network.names (
  name text primary key,
  fid bigint not null unique,
  transfer_id bigint not null references network.transfers
);

create table network.hub_events (
  id bigint primary key,
  type text not null,
  merged_at bigint not null,
  json text not null
);
create index hub_events_by_time on network.hub_events (merged_at);

create table network.imported_files (hash text primary key, imported_at bigint not null);
`;
