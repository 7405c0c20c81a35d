/**
 * What is read of hubs with several shards, and of casts by their parent. A hub's position under its old name, without
 * shards, stays until it is known which shards there are.
 */
export const up = `
create index casts_by_url on network.casts (parent_url, timestamp, hash)
  where parent_url is not null and removed_at is null;

-- Events of the block at "position" that are still to come; null where that is not known.
alter table castellan.sources add column block_left bigint;

-- How far the casts from before the link were read; null when they are.
alter table castellan.watched_channels add column past_page text;
update castellan.watched_channels set past_page = '' where backfill_from is not null;
alter table castellan.watched_channels drop column backfill_from, drop column backfill_until;

-- Casts that were asked for: the hub's events may bring them still, and replies to them are asked for, cast by cast.
alter table castellan.casts
  add column from_past boolean not null default false,
  add column replies_known boolean not null default true;
create index casts_without_replies on castellan.casts (cast_at) where not replies_known;

-- Since when a name is nobody's: what another shard tells later of the time before changes nothing.
create table castellan.released_names (name text primary key, since bigint not null);

-- Of the names that users hold, the one that each says is theirs.
create table castellan.shown_names (fid bigint primary key, name text not null, since bigint not null);
`;
