/** What the live network is asked, and what it told in one answer for all channels. */
export const up = `
-- Calls that went out, by the second in which they did. "purpose" is the background task, empty for what people wait for.
create table castellan.calls (
  route text not null,
  second bigint not null,
  purpose text not null,
  calls bigint not null,
  primary key (route, second, purpose)
);

-- Routes that the network wants to be left alone until then.
create table castellan.route_rests (route text primary key, until_ms bigint not null);

-- Services that failed again and again; told anew by each try that fails.
create table castellan.upstream_rests (
  upstream text primary key,
  since_ms bigint not null,
  told_at_ms bigint not null,
  reason text not null
);

-- Events of channels that were read.
create table castellan.channel_events (event_id text primary key, happened_at_ms bigint not null);
create index channel_events_by_time on castellan.channel_events (happened_at_ms);

-- When the latest reading of all listings of a channel began: what happened before is in them.
alter table castellan.sources add column whole_at_ms bigint;

-- When it was last tried to read a source in its turn, well or badly.
alter table castellan.sources add column tried_at_ms bigint;

-- Entries and records that an event told of: its time and the listing's may differ by a little.
alter table castellan.listing_entries add column told_by_event boolean not null default false;
alter table castellan.records add column event_id text;
`;
