/** What the sources store, and what calls to the live network leave. */
export const observe = String.raw`
create table castellan.sources (
  source text primary key,
  channel_id text,
  version bigint not null default 0,
  position bigint not null default 0,
  has_baseline boolean not null default false,
  anchored boolean not null default false,
  newest_at bigint,
  block_left bigint,
  unreadable_within bigint,
  unreadable_since_ms bigint,
  succeeded_at_ms bigint,
  completed_at_ms bigint,
  all_listings_at_ms bigint,
  attempted_at_ms bigint,
  behind boolean not null default false,
  failing_since_ms bigint,
  error text,
  seen bigint not null default 0,
  skipped bigint not null default 0
);

create table castellan.gaps (
  id bigint generated always as identity primary key,
  source text not null,
  from_at bigint not null,
  until_at bigint not null,
  found_at_ms bigint not null,
  healed_at_ms bigint
);

create table castellan.watched_channels (
  channel_id text primary key,
  url text not null,
  since_ms bigint not null,
  past_page text,
  past_retry_at_ms bigint not null default 0
);

create table castellan.waiting_replies (
  hash text primary key,
  parent_hash text not null,
  parent_fid bigint,
  is_wanted boolean not null default false,
  is_requested boolean not null default false,
  merged_at bigint not null,
  cast_json text not null,
  removed_at bigint
);
create index waiting_replies_by_time on castellan.waiting_replies (merged_at);
create index waiting_replies_of_parent on castellan.waiting_replies (parent_hash);
create index waiting_replies_wanted on castellan.waiting_replies (merged_at) where is_wanted;

create table castellan.requested_parents (
  hash text primary key,
  requested_at_ms bigint not null
);

create table castellan.reply_readings (
  hash text primary key references castellan.casts(hash) on delete cascade,
  page text not null default '',
  retry_at_ms bigint not null default 0
);

create table castellan.recent_removals (
  hash text primary key,
  removed_at bigint not null
);
create index recent_removals_by_time on castellan.recent_removals (removed_at);

create table castellan.records (
  id bigint generated always as identity primary key,
  channel_id text not null,
  cast_hash text not null,
  action text not null,
  moderated_at bigint not null,
  event_id text
);
create index records_of_cast on castellan.records (cast_hash, id);
create index records_of_channel on castellan.records (channel_id, moderated_at);

create table castellan.listing_entries (
  channel_id text not null,
  listing text not null,
  fid bigint not null,
  at bigint not null,
  role text,
  inviter_fid bigint,
  from_event boolean not null default false,
  primary key (channel_id, listing, fid)
);
create index listing_entries_of_fid on castellan.listing_entries (fid, listing);

create table castellan.channel_snapshots (
  channel_id text primary key,
  channel_json text not null
);

create table castellan.calls (
  route text not null,
  second bigint not null,
  purpose text not null,
  calls bigint not null,
  primary key (route, second, purpose)
);

create table castellan.route_backoffs (
  route text primary key,
  until_ms bigint not null,
  people_until_ms bigint not null default 0
);

create table castellan.upstream_backoffs (
  upstream text primary key,
  since_ms bigint not null,
  announced_at_ms bigint not null,
  reason text not null
);

create table castellan.bot_keys (
  key text primary key,
  accepted_at_ms bigint,
  refused_at_ms bigint,
  refusal text,
  refusal_announced_at_ms bigint,
  checked_at_ms bigint,
  standing text,
  standing_message text,
  announced_standing text
);

create table castellan.channel_events (
  event_id text primary key,
  happened_at_ms bigint not null
);
create index channel_events_by_time on castellan.channel_events (happened_at_ms);
`;
