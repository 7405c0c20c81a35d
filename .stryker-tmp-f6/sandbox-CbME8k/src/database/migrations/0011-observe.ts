/** Where each source stands and what it has seen. `_ms` columns are UNIX milliseconds, others UNIX seconds. */
// @ts-nocheck

export const up = `
create table castellan.sources (
  source text primary key,
  channel_id text,
  version bigint not null default 0,
  position bigint not null default 0,
  baselined boolean not null default false,
  anchored boolean not null default false,
  newest_at bigint,
  good_at_ms bigint,
  full_at_ms bigint,
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
  backfill_from bigint,
  backfill_until bigint not null
);

create table castellan.waiting_replies (
  hash text primary key,
  parent_hash text not null,
  source_key text not null,
  merged_at bigint not null,
  until_ms bigint not null,
  cast_json text not null
);
create index waiting_replies_of_parent on castellan.waiting_replies (parent_hash);
create index waiting_replies_by_end on castellan.waiting_replies (until_ms);

create table castellan.records (
  id bigint generated always as identity primary key,
  channel_id text not null,
  cast_hash text not null,
  action text not null,
  moderated_at bigint not null
);
create index records_of_channel on castellan.records (channel_id, moderated_at);
create index records_of_cast on castellan.records (cast_hash, id);

create table castellan.listing_entries (
  channel_id text not null,
  listing text not null,
  fid bigint not null,
  at bigint not null,
  role text,
  inviter_fid bigint,
  primary key (channel_id, listing, fid)
);
create index listing_entries_of_fid on castellan.listing_entries (fid, listing);

create table castellan.channel_snapshots (channel_id text primary key, channel_json text not null);
`;
