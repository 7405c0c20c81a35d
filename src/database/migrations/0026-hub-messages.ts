/**
 * What hubs know of messages: who signed a cast, and the messages that took casts back; and hub events by shard, for ids rise
 * in each by themselves.
 */
export const up = `
-- By whose application key, and the signature in base64; null of a cast that nobody signed.
alter table network.casts add column signer text, add column signature text;
create index casts_by_author on network.casts (fid, timestamp, hash) where removed_at is null;

create table network.cast_removals (
  hash text primary key,
  fid bigint not null,
  timestamp bigint not null,
  target_hash text not null,
  signer text,
  signature text
);
create index cast_removals_by_author on network.cast_removals (fid, timestamp, hash);

alter table network.hub_events add column shard smallint not null default 1;
alter table network.hub_events drop constraint hub_events_pkey;
alter table network.hub_events add primary key (shard, id);
-- The first shard's is the one that was there.
insert into network.stream_heads values ('hub_events_2', 0);
`;
